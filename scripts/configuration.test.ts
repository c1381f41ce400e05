import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configVariables } from './config-variables.ts'

/** The first cell of every row of the tables. */
const documented = [
  ...readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8').matchAll(
    /^\| `([A-Z][A-Z\d_]+)` \|/gm,
  ),
].map(([, name]) => name ?? '')

it('documents exactly the variables of the configuration, each once', () => {
  expect(configVariables.size).toBeGreaterThan(30)
  expect(documented.toSorted()).toEqual([...configVariables].toSorted())
})
