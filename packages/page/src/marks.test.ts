import { expect, test } from 'vitest'
import { markOf, networks } from './marks.ts'

test('thirty networks and more have a mark of their own', () => {
  expect(networks.length).toBeGreaterThanOrEqual(30)
  const paths = networks.map(({ name }) => markOf(name).path)
  expect(new Set(paths).size).toBe(networks.length)
  for (const path of paths) expect(path).toMatch(/^[Mm][-\d.,\sA-Za-z]+$/)
})

test('the five of the form schema are among them, in whatever capitals', () => {
  for (const name of ['Facebook', 'INSTAGRAM', 'whatsapp', 'twitter', 'youtube'])
    expect(networks.map((network) => network.name)).toContain(name.toLowerCase())
  expect(markOf(' YouTube ').label).toBe('YouTube')
})

test('any other name gets a generic mark, and no property of objects is one', () => {
  expect(markOf('Elsewhere').path).toBe(markOf('constructor').path)
  expect(markOf('Elsewhere').label).toBe('Elsewhere')
})
