import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { askServices } from '../../storage/db/testing.ts'
import { Batch, packBatch } from '../batches/packed-batch.ts'
import { storedClick } from '../testing.ts'
import { type ClickHouse, openClickHouse } from './client.ts'
import { blockOf, INSERT, prepareTable } from './table.ts'

const guide = readFileSync(new URL('../../../../../docs/clicks.md', import.meta.url), 'utf8')
const queries = [...guide.matchAll(/```sql\n([^`]+)```/g)].map(([, query = '']) => query)
const LINK = '0198c0de-0000-7000-8000-000000000000'

describe.runIf(inject('hasClickHouse'))('docs/clicks.md', () => {
  let clickhouse: ClickHouse
  beforeAll(async () => {
    clickhouse = openClickHouse((await askServices('clickhouse/create'))['url'] ?? '')
    await prepareTable(clickhouse)
    const day = Math.floor(Date.now() / 86_400_000) * 86_400_000
    const clicks = [
      storedClick(LINK, day, { referrer: 'a.example' }),
      storedClick(LINK, day + 1),
      storedClick(LINK, day + 2, { visitor: 2, bot: true }),
    ]
    const batch = new Batch(packBatch(clicks, day))
    const named = { workspaceUuid: crypto.randomUUID(), id: crypto.randomUUID(), day, batch }
    await clickhouse.insert(INSERT, named.id, blockOf([named]))
  })

  test('has five working queries', async () => {
    const results = await Promise.all(queries.map((query) => clickhouse.rows<Record<string, unknown>>(query)))
    expect(results).toMatchObject([
      [{ clicks: 2 }],
      [{ visitors: 1 }],
      [{ link_uuid: LINK, clicks: 2 }],
      [
        { referrer: '', clicks: 1 },
        { referrer: 'a.example', clicks: 1 },
      ],
      [{ country: 'DE', device: 'mobile', clicks: 2 }],
    ])
  })

  test('describes every column', async () => {
    const columns = await clickhouse.rows<{ name: string; type: string }>(
      `select name, type from system.columns where database = currentDatabase() and table = 'clicks'`,
    )
    const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
    for (const { name, type } of columns)
      expect(rows.find((row) => row.includes(`\`${name}\``)) ?? name).toContain(`| ${type} |`)
  })
})
