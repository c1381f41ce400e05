import { readCsv } from '@waymark/contract/csv'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { divideFile } from './divide-file.ts'

const RUNS = 100
const size = (bytes: number, links = 100_000) => ({ bytes, links })

const partsOf = async (text: string, bytes: number, links?: number) => {
  const parts = (await divideFile(new Blob([text]), size(bytes, links))) ?? []
  return Promise.all(
    parts.map(async ({ blob, linesBefore }) => {
      const buffer = await blob.arrayBuffer()
      return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer), linesBefore }
    }),
  )
}

/** The links of all parts, with their lines in the whole file. */
const joined = (parts: Awaited<ReturnType<typeof partsOf>>, isHead: (line: number) => boolean) =>
  parts.flatMap(({ text, linesBefore }) =>
    [...readCsv(text)]
      .filter(({ line }) => !isHead(line))
      .map(({ line, cells }) => ({ line: line + linesBefore, cells })),
  )

it('divides a table between two records, whatever their cells contain, and repeats the column names', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r', ' '), maxLength: 6 })
  const written = (text: string): string =>
    /[",;\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 30 }),
      fc.constantFrom('\r\n', '\n', '\r'),
      fc.constantFrom('', '\ufeff'),
      fc.constantFrom(',', ';'),
      fc.integer({ min: 20, max: 200 }),
      async (rows, end, mark, separator, bytes) => {
        const records = [['link', '"ti""tle"'], ...rows.map((row) => row.map(written))]
        const text = `${mark}${records.map((row) => row.join(separator)).join(end)}${end}`
        const parts = await partsOf(text, bytes)
        const head = `${mark}link${separator}"ti""tle"${end}`
        expect(parts.every((part) => part.text.startsWith(head))).toBe(true)
        expect(joined(parts, (line) => line === 1)).toEqual([...readCsv(text)].slice(1))
      },
    ),
    { numRuns: RUNS },
  )
})

it('keeps parts below the size and the number of links, unless one link is larger', async () => {
  const rows = Array.from({ length: 100 }, (_, n) => `https://example.com/${n}\n`)
  const text = `link\n${rows.join('')}`
  const parts = await partsOf(text, 200)
  expect(parts.length).toBeGreaterThan(10)
  expect(Math.max(...parts.map((part) => part.text.length))).toBeLessThanOrEqual(200)
  expect((await partsOf(text, 1_000_000, 30)).map((part) => part.text.split('\n').length - 2)).toEqual([
    30, 30, 30, 10,
  ])
  const large = await partsOf(`link\na\n${'b'.repeat(300)}\nc\n\n\n`, 50)
  expect(large).toEqual([
    { text: 'link\na\n', linesBefore: 0 },
    { text: `link\n${'b'.repeat(300)}\n`, linesBefore: 1 },
    { text: 'link\nc\n\n\n', linesBefore: 2 },
  ])
})

it('repeats a line that declares the separator', async () => {
  const parts = await partsOf('sep=;\nlink;title\na;1\nb;2\n', 22)
  expect(parts).toEqual([
    { text: 'sep=;\nlink;title\na;1\n', linesBefore: 0 },
    { text: 'sep=;\nlink;title\nb;2\n', linesBefore: 1 },
  ])
})

it('divides a JSON list between two items', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }), { minLength: 1, maxLength: 20 }),
      fc.constantFrom(undefined, 2),
      fc.integer({ min: 5, max: 200 }),
      async (items, indent, bytes) => {
        const parts = await partsOf(`${JSON.stringify(items, null, indent)}\n`, bytes)
        const read = parts.map((part) => JSON.parse(part.text) as unknown[])
        expect(read.flat()).toEqual(JSON.parse(JSON.stringify(items)))
        const counted = read.map((_, at) => read.slice(0, at).flat().length)
        expect(parts.map(({ linesBefore }) => linesBefore)).toEqual(counted)
      },
    ),
    { numRuns: RUNS },
  )
})

it('does not divide other files', async () => {
  for (const text of ['{"links":[]}', '<!DOCTYPE NETSCAPE-Bookmark-file-1>', 'INSERT INTO yourls_url VALUES'])
    expect(await divideFile(new Blob([text]), size(4))).toBeUndefined()
})
