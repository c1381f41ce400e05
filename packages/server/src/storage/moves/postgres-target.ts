import { Client } from 'pg'
import { OperatorError } from '../../net/errors.ts'
import { type Batch, RowSum, type SourceTable, type Value } from './sqlite-source.ts'

/** Progress of a table, stored in the same transaction as its rows. */
export interface TableProgress {
  readonly lastKey: readonly Value[] | undefined
  readonly rows: number
  readonly sum: string
}

interface Column {
  readonly name: string
  readonly type: string
  readonly identity: boolean
}

const PROGRESS = 'waymark_data_move'
const FETCH_ROWS = 5_000

/** Writes the tables of a PostgreSQL database, and continues after an interruption. */
export class PostgresTarget {
  readonly #client: Client
  readonly #columns = new Map<string, readonly Column[]>()

  constructor(url: string) {
    this.#client = new Client({
      connectionString: url,
      application_name: 'waymark migrate-data',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    })
    // A lost connection also fails the next statement, which reports it.
    this.#client.on('error', () => undefined)
  }

  /** `source`: the database that the move began with; it cannot continue with another one. */
  async open(tables: readonly SourceTable[], source: string): Promise<void> {
    await this.#client.connect()
    for (const table of tables) await this.#describe(table)
    const [begun] = await this.#rows<{ found: boolean }>(
      `select to_regclass('${PROGRESS}') is not null as found`,
    )
    if (begun?.found === true) return this.#checkSource(source)
    for (const { name } of tables) {
      const [row] = await this.#rows(`select 1 from "${name}" limit 1`)
      if (row !== undefined)
        throw new OperatorError(`the target is not empty: its table ${name} has other rows`)
    }
    await this.#client.query(
      `begin; create table ${PROGRESS} (table_name text primary key, last_key text, rows bigint, sum text);
       insert into ${PROGRESS} values ('', '${source.replaceAll("'", "''")}', 0, ''); commit`,
    )
  }

  async progress(table: string): Promise<TableProgress> {
    const [row] = await this.#rows<{ last_key: string; rows: string; sum: string }>(
      `select last_key, rows, sum from ${PROGRESS} where table_name = $1`,
      [table],
    )
    if (row === undefined) return { lastKey: undefined, rows: 0, sum: new RowSum().toString() }
    return { lastKey: JSON.parse(row.last_key) as Value[], rows: Number(row.rows), sum: row.sum }
  }

  /** Inserts the batch and stores the position in one transaction. */
  async insert(table: SourceTable, { rows, lastKey }: Batch, progress: TableProgress): Promise<void> {
    const columns = this.#columns.get(table.name) ?? []
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const arrays = columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')
    const values = columns.map((_, at) => rows.map((row) => row[at] ?? null))
    await this.#client.query('begin')
    try {
      await this.#client.query(
        `insert into "${table.name}" (${names}) select * from unnest(${arrays})`,
        values,
      )
      await this.#client.query(
        `insert into ${PROGRESS} values ($1, $2, $3, $4) on conflict (table_name)
          do update set last_key = excluded.last_key, rows = excluded.rows, sum = excluded.sum`,
        [table.name, JSON.stringify(lastKey), progress.rows, progress.sum],
      )
      await this.#client.query('commit')
    } catch (error) {
      await this.#client.query('rollback').catch(() => undefined)
      throw error
    }
  }

  /** Reads the table back, in any order. */
  async sum(table: SourceTable, onRows: (rows: number) => void): Promise<{ rows: number; sum: string }> {
    const columns = this.#columns.get(table.name) ?? []
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const total = new RowSum()
    let count = 0
    await this.#client.query(
      `begin read only; declare all_rows no scroll cursor for select ${names} from "${table.name}"`,
    )
    for (;;) {
      const text = `fetch ${FETCH_ROWS} from all_rows`
      const { rows } = await this.#client.query<unknown[]>({ text, rowMode: 'array', types: TEXT })
      if (rows.length === 0) break
      for (const row of rows) total.add(row.map((value, at) => toValue(value, columns[at]?.type)))
      count += rows.length
      onRows(rows.length)
    }
    await this.#client.query('close all_rows; commit')
    return { rows: count, sum: total.toString() }
  }

  /** Sets the counters of identity columns after the moved rows, and drops the table of progress. */
  async finish(): Promise<void> {
    for (const [table, columns] of this.#columns) {
      for (const { name } of columns.filter((column) => column.identity)) {
        const sequence = `pg_get_serial_sequence('"${table}"', '${name}')`
        await this.#client.query(
          `select setval(${sequence}, greatest((select max("${name}") from "${table}"), 1))`,
        )
      }
      await this.#client.query(`analyze "${table}"`)
    }
    await this.#client.query(`drop table ${PROGRESS}`)
  }

  async close(): Promise<void> {
    await this.#client.end()
  }

  async #checkSource(source: string): Promise<void> {
    const [row] = await this.#rows<{ last_key: string }>(
      `select last_key from ${PROGRESS} where table_name = ''`,
    )
    if (row?.last_key !== source)
      throw new OperatorError('the target contains an unfinished move from another source')
  }

  async #describe({ name, columns }: SourceTable): Promise<void> {
    const found = await this.#rows<Column>(
      `select column_name as name, udt_name as type, is_identity = 'YES' as identity
        from information_schema.columns where table_schema = current_schema() and table_name = $1`,
      [name],
    )
    const ordered = columns.flatMap((column) => found.find((other) => other.name === column) ?? [])
    if (ordered.length !== columns.length || found.length !== columns.length)
      throw new OperatorError(`the table ${name} is not the same in both databases`)
    this.#columns.set(name, ordered)
  }

  async #rows<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.#client.query<T>(text, [...values])).rows
  }
}

/** Whole numbers stay text, because JavaScript numbers are not exact. */
const TEXT = { getTypeParser: () => (text: string) => text }

function toValue(value: unknown, type: string | undefined): Value {
  if (value === null || typeof value !== 'string') return null
  return type === 'float8' || type === 'float4' ? Number(value) : value
}
