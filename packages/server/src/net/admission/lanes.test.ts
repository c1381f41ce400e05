import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { GateRules } from './gate.ts'
import { laneRules } from './lanes.ts'

const MEGAPIXEL = 1_000_000
const guide = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8')

const amount = (units: number): string =>
  units < MEGAPIXEL ? String(units) : `${units / MEGAPIXEL} megapixels`

const cellsOf = ({ capacity, share, queue, waitMs }: GateRules): string[] => [
  amount(capacity),
  amount(share),
  ...(queue === 0 ? [] : [`${queue}, for ${waitMs / 1000} s`]),
]

test('the table of the operations guide has every kind of work with its lanes', () => {
  const rows = guide
    .split('\n')
    .flatMap((line) => /^\| `(\w+)` \| .+? \| (.+) \|$/.exec(line)?.slice(1, 3) ?? [])
  const table = Object.fromEntries(
    rows.flatMap((kind, at) => (at % 2 === 0 ? [[kind, rows[at + 1]?.split(' | ')]] : [])),
  )
  for (const [kind, rules] of Object.entries(laneRules)) {
    const expected = cellsOf(rules)
    expect([kind, ...(table[kind]?.slice(0, expected.length) ?? [])]).toEqual([kind, ...expected])
  }
})
