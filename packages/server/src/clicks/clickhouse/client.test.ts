import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { askServices } from '../../storage/db/testing.ts'
import { type ClickHouse, openClickHouse, quoted } from './client.ts'

describe.runIf(inject('hasClickHouse'))('texts for ClickHouse', () => {
  let clickhouse: ClickHouse

  beforeAll(async () => {
    clickhouse = openClickHouse((await askServices('clickhouse/create'))['url'] ?? '')
  })

  const hostile = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('\\', "'", '"', '`', '\0', '\t', '\n', '\r', '\b', 'N', 'x', ';', '-', '/'),
      }),
      fc.constant(String.raw`\N`),
      fc.constant("' or 1=1 --"),
      fc.constant('é😀'.repeat(700)),
    ),
    { minLength: 1, maxLength: 50 },
  )

  test('are unchanged by quoting', async () => {
    const check = async (texts: readonly string[]): Promise<void> => {
      const wellFormed = texts.map((text) => text.toWellFormed())
      const [row] = await clickhouse.rows<{ found: string[] }>(
        `select [${texts.map(quoted).join(',')}] as found`,
      )
      expect(row?.found).toEqual(wellFormed)
    }
    await fc.assert(fc.asyncProperty(hostile, check), { numRuns: 100 })
  })
})

/** Stands in for a ClickHouse of a version that is not installed. */
async function startServer(answer: (request: IncomingMessage, body: string) => string) {
  const server = createServer((request, response) => {
    text(request).then(
      (body) => response.end(answer(request, body)),
      () => undefined,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { clickhouse: openClickHouse(`http://127.0.0.1:${port}/waymark`), close: () => server.close() }
}

test.each([
  ['as text', 'Code: 241, e.displayText() = DB::Exception: Memory limit exceeded'],
  ['as a row', '{"exception": "Code: 241. DB::Exception: Memory limit exceeded"}\n'],
])('an error in the middle of a result, %s, is no row', async (_form, error) => {
  const { clickhouse, close } = await startServer(() => `{"clicks":1}\n${error}`)
  const rows: unknown[] = []
  const reading = async (): Promise<void> => {
    for await (const row of clickhouse.stream('select 1')) rows.push(row)
  }
  await expect(reading()).rejects.toMatchObject({ code: 241 })
  expect(rows).toEqual([{ clicks: 1 }])
  close()
})

test.each([
  ['current', '{"name":"async_insert"}\n', '0'],
  ['old', '', null],
])('a %s version stores rows before it responds', async (_version, known, expected) => {
  let insert: URLSearchParams | undefined
  const { clickhouse, close } = await startServer(({ url = '' }, body) => {
    if (body.includes('system.settings')) return known
    insert = new URL(url, 'http://localhost').searchParams
    return ''
  })
  await clickhouse.insert('insert', 'id', Readable.from([Buffer.from('rows')]))
  expect(insert?.get('async_insert')).toBe(expected)
  close()
})

test('sends no rows if the insert is not confirmed', async () => {
  const bodies: string[] = []
  const { clickhouse, close } = await startServer((_request, body) => {
    bodies.push(body)
    return ''
  })
  const late = new Error('Another process has taken over')
  const rows = Readable.from([Buffer.from('rows')])
  await expect(clickhouse.insert('insert', 'id', rows, () => Promise.reject(late))).rejects.toBe(late)
  await expect(clickhouse.run('drop', () => Promise.reject(late))).rejects.toBe(late)
  expect(bodies.filter((body) => !body.includes('system.settings'))).toEqual([])
  await clickhouse.run('drop', () => Promise.resolve())
  expect(bodies.at(-1)).toBe('drop')
  close()
})
