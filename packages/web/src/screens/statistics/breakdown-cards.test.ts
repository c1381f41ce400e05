import { expect, test } from 'vitest'
import { cardsFor, chosenOf, withChosen } from './breakdown-cards.ts'

test('each card shows one chosen breakdown, and the address names those that are not the first', () => {
  const cards = cardsFor(false, false)
  const [places, origins] = cards
  if (places === undefined || origins === undefined) throw new Error('There are cards')
  const chosen = withChosen(origins, withChosen(places, [], 'language'), 'utm_source')
  expect(chosen).toEqual(['language', 'utm_source'])
  expect(cards.map((card) => chosenOf(card, chosen)).slice(0, 3)).toEqual([
    'language',
    'utm_source',
    'device',
  ])
  expect(withChosen(places, chosen, 'country')).toEqual(['utm_source'])
  expect(withChosen(origins, chosen, 'utm_medium')).toEqual(['language', 'utm_medium'])
  expect(chosenOf(places, ['no such dimension'])).toBe('country')
})
