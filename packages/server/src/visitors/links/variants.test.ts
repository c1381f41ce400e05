import { describe, expect, it } from 'vitest'
import { createSecrets } from '../../storage/secrets.ts'
import { compileVariants } from './routing.ts'
import type { Visitor } from './visitor.ts'

const VISITORS = 100_000
const hashOf = (key: string) => {
  const secrets = createSecrets(key)
  return (text: string): number => secrets.number('variant', text)
}
const variants = [
  { url: 'https://example.com/a', weight: 700, name: 'A' },
  { url: 'https://example.com/b', weight: 250, name: 'B' },
  { url: 'https://example.com/c', weight: 50, name: 'C' },
]
const visitor = (n: number, agent = `agent/${n % 7}`): Visitor => ({
  headers: { 'user-agent': agent },
  query: '',
  rest: '',
  address: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
})

describe('variants', () => {
  it('share 100,000 visitors within 1 % of their weights', () => {
    const set = compileVariants(variants, hashOf('a secret for tests'))
    const counts = new Map<string, number>()
    for (let n = 0; n < VISITORS; n++) {
      const name = set?.choose('link', visitor(n)).name ?? ''
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    for (const { name, weight } of variants)
      expect(Math.abs((counts.get(name) ?? 0) / VISITORS - weight / 1000), name).toBeLessThan(0.01)
  })

  it('are the same for a visitor in every process, and differ with another key', () => {
    const [one, again, other] = ['key one', 'key one', 'key two'].map((key) =>
      compileVariants(variants, hashOf(key)),
    )
    const names = (set: typeof one) =>
      Array.from({ length: 200 }, (_, n) => set?.choose('link', visitor(n)).name)
    expect(names(one)).toEqual(names(again))
    expect(names(one)).not.toEqual(names(other))
  })

  it('depend on link, address and user agent', () => {
    const set = compileVariants(
      variants.map((variant) => ({ ...variant, weight: 1 })),
      hashOf('key'),
    )
    const seen = (link: string, agent?: string) =>
      Array.from({ length: 100 }, (_, n) => set?.choose(link, visitor(n, agent)).name).join('')
    expect(new Set([seen('one'), seen('two'), seen('one', 'x'), seen('one', 'y')]).size).toBe(4)
  })

  it('treat an IPv4-mapped address as IPv4', () => {
    const set = compileVariants(variants, hashOf('key'))
    for (let n = 0; n < 50; n++) {
      const plain = visitor(n)
      const mapped = { ...plain, address: `::ffff:${plain.address}` }
      expect(set?.choose('link', mapped)).toEqual(set?.choose('link', plain))
    }
  })
})
