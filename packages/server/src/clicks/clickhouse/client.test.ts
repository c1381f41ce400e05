import * as fc from 'fast-check'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { askServices } from '../../storage/db/testing.ts'
import { type ClickHouse, escaped, openClickHouse, quoted } from './client.ts'

describe.runIf(inject('hasClickHouse'))('texts for ClickHouse', () => {
  let clickhouse: ClickHouse

  beforeAll(async () => {
    clickhouse = openClickHouse((await askServices('clickhouse/create'))['url'] ?? '')
    await clickhouse.run('create table texts (n UInt32, text String) engine = MergeTree order by n')
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

  test('come back from a literal as they are', async () => {
    const check = async (texts: readonly string[]): Promise<void> => {
      const wellFormed = texts.map((text) => text.toWellFormed())
      const [row] = await clickhouse.rows<{ found: string[] }>(
        `select [${texts.map(quoted).join(',')}] as found`,
      )
      expect(row?.found).toEqual(wellFormed)
    }
    await fc.assert(fc.asyncProperty(hostile, check), { numRuns: 100 })
  })

  test('come back from a row as they are', async () => {
    const check = async (texts: readonly string[]): Promise<void> => {
      await clickhouse.run('truncate table texts')
      const rows = texts.map((text, n) => `${n}\t${escaped(text)}\n`).join('')
      const body = (async function* () {
        yield Buffer.from(rows)
      })()
      await clickhouse.insert('insert into texts (n, text) format TabSeparated', crypto.randomUUID(), body)
      const found = await clickhouse.rows<{ text: string }>('select text from texts order by n')
      expect(found.map(({ text }) => text)).toEqual(texts.map((text) => text.toWellFormed()))
    }
    await fc.assert(fc.asyncProperty(hostile, check), { numRuns: 50 })
  })
})
