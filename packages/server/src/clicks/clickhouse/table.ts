import type { ClickKind } from '../spool/record.ts'
import { type Batch, UUID_BYTES } from '../batches/packed-batch.ts'
import { BOT, KIND_BITS, KINDS, SCANNED, type StoredClick, TEXT_COLUMNS } from '../batches/stored-click.ts'
import { nextTurn } from '../../work/turns.ts'
import { type ClickHouse, ClickHouseError } from './client.ts'

/** The table in the database that `CLICKS_URL` names. */
export const TABLE = 'clicks'

/** Column types, all supported by ClickHouse 18.16. docs/clicks.md describes the columns. */
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

export const INSERT = `insert into ${TABLE} (${NAMES.join(', ')}) format Native`

const COLUMN_EXISTS = 44
const DUPLICATE_COLUMN = 15

/** Creates the table, and adds the columns of new dimensions, which are '' in old rows. */
export async function prepareTable(clickhouse: ClickHouse): Promise<void> {
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`)
  await clickhouse.run(
    `create table if not exists ${TABLE} (${columns.join(', ')}) engine = MergeTree
      partition by toYYYYMM(at) order by (workspace_uuid, link_uuid, at)`,
  )
  for (const name of await missingColumns(clickhouse)) {
    try {
      await clickhouse.run(`alter table ${TABLE} add column ${name} ${COLUMNS[name]}`)
    } catch (error) {
      // Another node added it meanwhile.
      const isThere =
        error instanceof ClickHouseError && [COLUMN_EXISTS, DUPLICATE_COLUMN].includes(error.code ?? 0)
      if (!isThere) throw error
    }
  }
}

/** All columns if there is no table yet. */
export async function missingColumns(clickhouse: ClickHouse): Promise<string[]> {
  const found = await clickhouse.rows<{ name: string }>(
    `select name from system.columns where database = currentDatabase() and table = '${TABLE}'`,
  )
  const known = new Set(found.map(({ name }) => name))
  return NAMES.filter((name) => !known.has(name))
}

/** The partition name of a moment's month. */
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

/** A constant of type DateTime, which covers 1970 to 2106. */
export const moment = (atMs: number): string =>
  `toDateTime(${Math.min(Math.max(Math.ceil(atMs / 1_000), 0), LAST_SECOND)})`

/** A batch to send. */
export interface NamedBatch {
  readonly workspaceUuid: string
  readonly id: string
  /** The first millisecond of its UTC day. */
  readonly day: number
  readonly batch: Batch
}

/**
 * The clicks of some batches as one block of ClickHouse's Native format: the number of rows, then column by column.
 * ClickHouse stores nothing of a truncated block; from a text format, 18.16 would store the rows before the cut.
 */
export async function* blockOf(batches: readonly NamedBatch[]): AsyncGenerator<Buffer> {
  const rows = batches.reduce((sum, { batch }) => sum + batch.clicks, 0)
  yield Buffer.concat([varint(NAMES.length), varint(rows)])
  for (const [name, type] of Object.entries(COLUMNS)) {
    yield Buffer.concat([text(name), text(type)])
    for (const named of batches) {
      yield* (FIXED_COLUMNS[name] ?? textsOf(name))(named)
      await nextTurn()
    }
  }
}

type WriteColumn = (named: NamedBatch) => Iterable<Buffer>

const FIXED_COLUMNS: Readonly<Record<string, WriteColumn>> = {
  workspace_uuid: ({ batch, workspaceUuid }) => [repeated(uuidBytes(workspaceUuid), batch.clicks)],
  batch_uuid: ({ batch, id }) => [repeated(uuidBytes(id), batch.clicks)],
  link_uuid: ({ batch: { links, clicks } }) => {
    const uuids = Array.from({ length: links.count }, (_, link) =>
      swapped(links.uuids.subarray(link * UUID_BYTES, (link + 1) * UUID_BYTES)),
    )
    return chosen(uuids, links.indexes, clicks)
  },
  at: ({ batch, day }) => [
    numbers(batch, 4, (bytes, row, at) =>
      bytes.writeUInt32LE(Math.floor((day + batch.times[at]!) / 1_000), row),
    ),
  ],
  ms: ({ batch }) => [
    numbers(batch, 2, (bytes, row, at) => bytes.writeUInt16LE(batch.times[at]! % 1_000, row)),
  ],
  kind: ({ batch: { flags, clicks } }) =>
    chosen(
      KINDS.map(text),
      flags.map((flag) => flag & KIND_BITS),
      clicks,
    ),
  bot: ({ batch: { flags } }) => [Buffer.from(flags.map((flag) => ((flag & BOT) === 0 ? 0 : 1)))],
  scanned: ({ batch: { flags } }) => [Buffer.from(flags.map((flag) => ((flag & SCANNED) === 0 ? 0 : 1)))],
  visitor: ({ batch }) => {
    const { low, high } = batch.visitors
    return [
      numbers(batch, 8, (bytes, row, at) => {
        bytes.writeUInt32LE(low[at]!, row)
        bytes.writeUInt32LE(high[at]!, row + 4)
      }),
    ]
  },
}

const textsOf =
  (column: string): WriteColumn =>
  ({ batch }) => {
    const { texts, indexes } = batch.texts(column)
    return chosen(texts.map(text), indexes, batch.clicks)
  }

/** Number of values written at once: visitors choose how long they are. */
const VALUES_AT_ONCE = 1_000

/** Writes one of the values for each click. */
function* chosen(
  values: readonly Buffer[],
  indexes: ArrayLike<number> | undefined,
  clicks: number,
): Generator<Buffer> {
  for (let from = 0; from < clicks; from += VALUES_AT_ONCE)
    yield Buffer.concat(
      Array.from({ length: Math.min(VALUES_AT_ONCE, clicks - from) }, (_, at) => {
        const value = values[indexes?.[from + at] ?? 0]
        if (value === undefined) throw new RangeError('A batch of clicks names a value that it does not have')
        return value
      }),
    )
}

function numbers(
  { clicks }: Batch,
  width: number,
  write: (bytes: Buffer, row: number, at: number) => void,
): Buffer {
  const bytes = Buffer.alloc(clicks * width)
  for (let at = 0; at < clicks; at++) write(bytes, at * width, at)
  return bytes
}

const repeated = (value: Buffer, times: number): Buffer => Buffer.alloc(value.length * times, value)

/** ClickHouse stores a UUID as two numbers of eight bytes, little endian. */
function swapped(uuid: Buffer): Buffer {
  const bytes = Buffer.from(uuid)
  return bytes.swap64()
}

const uuidBytes = (uuid: string): Buffer => swapped(Buffer.from(uuid.replaceAll('-', ''), 'hex'))

/** A length prefix and UTF-8. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

/** A row selected with `CLICK_COLUMNS`. */
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
