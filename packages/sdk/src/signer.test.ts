import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formDigest, risingClock, sha256, sign } from './signer.ts'

interface Vector {
  name: string
  timestamp: string
  method: string
  target: string
  body?: string
  parts?: { name: string; text?: string; base64?: string }[]
  digest: string
  canonical: string
  signature: string
}
const published = JSON.parse(
  readFileSync(new URL('../../../docs/signing-vectors.json', import.meta.url), 'utf8'),
) as { secret: string; vectors: Vector[] }

const unquoted = (name: string): string => name.replaceAll('%22', '"')

describe('the published vectors', () => {
  it.each(published.vectors)('$name', async ({ timestamp, method, target, body, parts, ...expected }) => {
    const entries = parts?.map(({ name, text, base64 }) => ({
      name: unquoted(name),
      value: text ?? new Blob([Buffer.from(base64 ?? '', 'base64')]),
    }))
    const digest = entries === undefined ? await sha256(body ?? '') : await formDigest(entries)
    expect(digest).toBe(expected.digest)
    expect(await sign(published.secret, { method, target, digest }, timestamp)).toEqual({
      'x-timestamp': timestamp,
      'x-signature': expected.signature,
    })
  })
})

it('the page that people read has the same vectors', () => {
  const page = readFileSync(new URL('../../../docs/signing.md', import.meta.url), 'utf8')
  for (const { canonical, signature } of published.vectors)
    expect(page).toContain(`\`\`\`\n${canonical}\n\`\`\`\n\nSignature: \`${signature}\``)
})

it('the clock never shows a millisecond twice, even when time stands still or runs backwards', () => {
  const times = [1000, 1000, 900, 1001, 5000.7]
  const clock = risingClock(() => times.shift() ?? 0)
  expect([clock(), clock(), clock(), clock(), clock()]).toEqual(['1000', '1001', '1002', '1003', '5000'])
})
