import { expect, test } from 'vitest'
import { markOf, networks } from './marks.ts'

test('more than thirty networks have their own logo', () => {
  expect(networks.length).toBeGreaterThanOrEqual(30)
  const paths = networks.map(({ name }) => markOf(name).path)
  expect(new Set(paths).size).toBe(networks.length)
  for (const path of paths) expect(path).toMatch(/^[Mm][-\d.,\sA-Za-z]+$/)
})

test('they include the five of the form schema, in any case', () => {
  for (const name of ['Facebook', 'INSTAGRAM', 'whatsapp', 'twitter', 'youtube'])
    expect(networks.map((network) => network.name)).toContain(name.toLowerCase())
  expect(markOf(' YouTube ').label).toBe('YouTube')
})

test('any other name gets a generic icon, including names of object properties', () => {
  expect(markOf('Elsewhere').path).toBe(markOf('constructor').path)
  expect(markOf('Elsewhere').label).toBe('Elsewhere')
})
