import { beforeAll, expect, it } from 'vitest'
import { type Bystander, cpuSeconds, newBystander, whileAttacked } from '../support/isolation.ts'
import { post } from '../support/requests.ts'
import { onStack } from '../support/stacks.ts'
import type { Account } from '../support/waymark.ts'

const COST = { servingSeconds: 1.5, megabytes: 400 }

const REQUESTS = 5
const VALUE_LENGTH = 2048
const LARGE_BODIES = 8
/** A fraction of what parsing and walking through one of them takes. */
const LARGE_BODY_SECONDS = 0.5

/** Values that look like CSS for long and are none, each of the greatest length that the field takes. */
const hostileValues: readonly string[] = [
  `a${' '.repeat(VALUE_LENGTH - 8)})`,
  'rgb('.repeat(VALUE_LENGTH / 4),
  `${'1px '.repeat(VALUE_LENGTH / 4 - 1)}x`,
  `0 0 0 rgba(${'0'.repeat(VALUE_LENGTH - 20)}`,
  `${' '.repeat(VALUE_LENGTH - 1)}#`,
]

const page = (boxShadow: string): Record<string, unknown> => ({
  title: 'A page',
  slug: 'hostile-theme',
  logoPosition: 'top-left',
  images: [{ src: 'https://example.com/a.png' }],
  buttons: [{ label: 'Go' }],
  theme: Array.from({ length: 20 }, () => ({ boxShadow, borderRadius: boxShadow, bg: boxShadow })),
})

onStack('embedded', (waymark) => {
  let bystander: Bystander
  let attacker: Account
  beforeAll(async () => {
    bystander = await newBystander(waymark())
    attacker = await waymark().account()
  })

  it('themes that are nearly CSS are refused without holding anything up', async () => {
    const statuses = await whileAttacked(waymark(), 'hostile themes', bystander, COST, async () => {
      const seen = new Set<number>()
      for (let round = 0; round < REQUESTS; round++)
        for (const value of hostileValues)
          seen.add((await post(waymark(), attacker, '/v1/generate-page', page(value))).status)
      return seen
    })
    expect(statuses).toEqual(new Set([422]))
  })
  it('bodies of a million values are refused before they are parsed', async () => {
    const links = Array.from({ length: 1_300_000 }, () => ({}))
    const before = await cpuSeconds(waymark())
    const statuses = await whileAttacked(waymark(), 'a million values', bystander, COST, async () => {
      const seen = new Set<number>()
      for (let round = 0; round < LARGE_BODIES; round++)
        seen.add((await post(waymark(), attacker, '/v1/generate-links', { links })).status)
      return seen
    })
    const used = (await cpuSeconds(waymark())) - before
    console.log(`${LARGE_BODIES} bodies of a million values: ${used.toFixed(2)} s of processor time`)
    expect(statuses).toEqual(new Set([400]))
    expect(used).toBeLessThan(LARGE_BODIES * LARGE_BODY_SECONDS)
  })
})
