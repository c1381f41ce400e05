import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** Every variable that config.ts reads. */
const variables = new Set(
  [...read('packages/server/src/config.ts').matchAll(/\b(?:read|limit)\('([A-Z][A-Z\d_]+)'/g)].map(
    ([, name]) => name ?? '',
  ),
)

/** The first cell of every row of the tables. */
const documented = [...read('docs/configuration.md').matchAll(/^\| `([A-Z][A-Z\d_]+)` \|/gm)].map(
  ([, name]) => name ?? '',
)

it('documents every variable of the configuration once, and no other', () => {
  expect(variables.size).toBeGreaterThan(30)
  expect(documented.toSorted()).toEqual([...variables].toSorted())
})
