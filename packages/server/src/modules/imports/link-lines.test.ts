import { expect, it } from 'vitest'
import type { ByteRange } from '../../storage/blobs/blobs.ts'
import type { ImportedLink } from './import-rules.ts'
import { LinkLines } from './link-lines.ts'
import { StoredLines } from './link-lines.ts'

const KEY = 'k'.repeat(43)

const linkAt = (line: number): ImportedLink => ({
  line,
  // Some lines are longer than a piece.
  input: { link: `https://example.com/${'x'.repeat(line % 7 === 0 ? 500 : line % 5)}`, password: 'secret' },
  shortCode: `code-${line}`,
  isCustom: true,
  host: null,
  isForeign: false,
  createdAtMs: null,
  clicks: 0,
  isProtected: false,
  earlierCodes: null,
})
const links = Array.from({ length: 100 }, (_, line) => linkAt(line))

const fileOf = (given: readonly ImportedLink[]) => {
  const lines = new LinkLines(KEY)
  for (const link of given) lines.push(link)
  const bytes = lines.take()
  const ranges: ByteRange[] = []
  const read = (range: ByteRange) => {
    ranges.push(range)
    return Promise.resolve(bytes.subarray(range.from, range.from + range.length))
  }
  return { bytes, ranges, read }
}

it('reads every line once, in pieces of any size', async () => {
  const { bytes, read } = fileOf(links)
  for (const pieceBytes of [100, 1_000, bytes.length, 2 * bytes.length]) {
    const lines = new StoredLines(read, KEY, pieceBytes)
    const found: ImportedLink[] = []
    let position = 0
    for (;;) {
      const some = await lines.linksFrom(position, 3)
      if (some === undefined || some.links.length === 0) break
      found.push(...some.links)
      position = some.end
    }
    expect(found).toEqual(links)
    expect(position).toBe(bytes.length)
  }
})

it('continues at a position without reading what is before it', async () => {
  const { ranges, read } = fileOf(links)
  const first = await new StoredLines(read, KEY, 1_000).linksFrom(0, 60)
  const position = first?.end ?? 0
  ranges.splice(0)
  const later = await new StoredLines(read, KEY, 1_000).linksFrom(position, 1)
  expect(later?.links).toEqual([links[first?.links.length ?? 0]])
  expect(ranges.map(({ from }) => from)).toEqual([position])
})

it('reports a missing or truncated file', async () => {
  const gone = new StoredLines(() => Promise.resolve(undefined), KEY)
  expect(await gone.linksFrom(0, 1)).toBeUndefined()
  const { bytes } = fileOf(links)
  const cut = new StoredLines(() => Promise.resolve(bytes.subarray(0, -1)), KEY)
  await expect(cut.linksFrom(0, 1)).rejects.toThrow('cut off')
})
