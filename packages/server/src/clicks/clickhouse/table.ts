import type { ClickKind } from '../spool/record.ts'
import { type Batch, clicksOf } from '../batches/packed-batch.ts'
import { type StoredClick, TEXT_COLUMNS } from '../batches/stored-click.ts'
import { nextTurn } from '../../work/turns.ts'
import { type ClickHouse, ClickHouseError, escaped } from './client.ts'

/** The table in the database that `CLICKS_URL` names. */
export const TABLE = 'clicks'

/** Columns by their types, all of which 18.16 knows. docs/clicks.md describes them. */
const COLUMNS: Readonly<Record<string, string>> = {
  workspace_uuid: 'UUID',
  link_uuid: 'UUID',
  at: "DateTime('UTC')",
  ms: 'UInt16',
  kind: 'String',
  bot: 'UInt8',
  scanned: 'UInt8',
  visitor: 'UInt64',
  batch_uuid: 'UUID',
  ...Object.fromEntries(TEXT_COLUMNS.map((column) => [column, 'String'])),
}

const NAMES = Object.keys(COLUMNS)

export const INSERT = `insert into ${TABLE} (${NAMES.join(', ')}) format TabSeparated`

const COLUMN_EXISTS = 44
const DUPLICATE_COLUMN = 15

/** Creates the table, and adds the columns of dimensions that are newer than it. Old rows have '' there. */
export async function prepareTable(clickhouse: ClickHouse): Promise<void> {
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`)
  await clickhouse.run(
    `create table if not exists ${TABLE} (${columns.join(', ')}) engine = MergeTree
      partition by toYYYYMM(at) order by (workspace_uuid, link_uuid, at)`,
  )
  const found = await clickhouse.rows<{ name: string }>(
    `select name from system.columns where database = currentDatabase() and table = '${TABLE}'`,
  )
  const known = new Set(found.map(({ name }) => name))
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (known.has(name)) continue
    try {
      await clickhouse.run(`alter table ${TABLE} add column ${name} ${type}`)
    } catch (error) {
      // Another node has added it in the meantime.
      const isThere =
        error instanceof ClickHouseError && [COLUMN_EXISTS, DUPLICATE_COLUMN].includes(error.code ?? 0)
      if (!isThere) throw error
    }
  }
}

/** The month of a moment as the name of its partition. */
export const partitionOf = (atMs: number): number => {
  const at = new Date(atMs)
  return at.getUTCFullYear() * 100 + at.getUTCMonth() + 1
}

/** The first millisecond of a partition. */
export const partitionStart = (partition: number): number =>
  Date.UTC(Math.floor(partition / 100), (partition % 100) - 1)

/** The months that have rows, oldest first. */
export async function partitions(clickhouse: ClickHouse): Promise<number[]> {
  const rows = await clickhouse.rows<{ partition: string }>(
    `select distinct partition from system.parts
      where database = currentDatabase() and table = '${TABLE}' and active`,
  )
  return rows.map(({ partition }) => Number(partition)).sort((a, b) => a - b)
}

const LAST_SECOND = 2 ** 32 - 1

/** A constant of type DateTime. ClickHouse knows the seconds from 1970 to 2106. */
export const moment = (atMs: number): string =>
  `toDateTime(${Math.min(Math.max(Math.ceil(atMs / 1_000), 0), LAST_SECOND)})`

const ROWS_AT_ONCE = 1_000

interface NamedBatch {
  readonly workspaceUuid: string
  readonly id: string
  readonly day: number
}

/** The clicks of a batch as tab-separated rows, some at a time. */
export async function* rowsOf(batch: Batch, { workspaceUuid, id, day }: NamedBatch): AsyncGenerator<Buffer> {
  let rows = ''
  let count = 0
  for (const click of clicksOf(batch, day)) {
    rows += rowOf(click, workspaceUuid, id)
    if (++count % ROWS_AT_ONCE !== 0) continue
    yield Buffer.from(rows)
    rows = ''
    await nextTurn()
  }
  if (rows !== '') yield Buffer.from(rows)
}

function rowOf(click: StoredClick, workspaceUuid: string, batchId: string): string {
  const { atMs, kind, resourceUuid, bot, scanned, visitor } = click
  let row = `${workspaceUuid}\t${resourceUuid}\t${Math.floor(atMs / 1_000)}\t${atMs % 1_000}\t${kind}\t`
  row += `${Number(bot)}\t${Number(scanned)}\t${visitor}\t${batchId}`
  for (const column of TEXT_COLUMNS) row += `\t${escaped(click[column])}`
  return `${row}\n`
}

/** A row as it is selected with `CLICK_COLUMNS`. */
export type ClickRow = Readonly<Record<(typeof TEXT_COLUMNS)[number], string>> & {
  readonly link_uuid: string
  readonly second: number
  readonly ms: number
  readonly kind: ClickKind
  readonly bot: number
  readonly scanned: number
  readonly visitor: number
}

export const CLICK_COLUMNS = `link_uuid, toUInt32(at) as second, ms, kind, bot, scanned, visitor, ${TEXT_COLUMNS.join(', ')}`

export function clickOf(row: ClickRow): StoredClick {
  const { link_uuid, second, ms, kind, bot, scanned, visitor, ...texts } = row
  return {
    ...texts,
    atMs: second * 1_000 + ms,
    kind,
    resourceUuid: link_uuid,
    bot: bot === 1,
    scanned: scanned === 1,
    visitor,
  }
}
