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
})
