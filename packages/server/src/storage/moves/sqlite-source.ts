import { hash } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { OperatorError } from '../../net/errors.ts'
import { VISITOR_TABLES } from '../db/tables.ts'

export interface SourceTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly KeyColumn[]
  readonly rows: number
}

interface KeyColumn {
  readonly name: string
  readonly integer: boolean
}

export interface Batch {
  readonly rows: readonly (readonly Value[])[]
  /** The next batch begins after this key. */
  readonly lastKey: readonly Value[]
}

const BATCH_ROWS = 5_000
const BATCH_CHARACTERS = 4_000_000
/** Tables that describe the database itself, that triggers write, or that no copy may contain. */
const LEFT_OUT = new Set<string>(['schema_migrations', 'leases', 'link_search_texts', ...VISITOR_TABLES])

/** Reads every table of an SQLite file in batches by primary key. */
export class SqliteSource {
  readonly #db: Sqlite

  /** Locks the file: data must not change while it is moved. */
  constructor(file: string) {
    this.#db = new SqliteDatabase(file, { fileMustExist: true, timeout: 0 })
    try {
      this.#db.pragma('locking_mode = exclusive')
      this.#db.exec('begin exclusive')
    } catch (error) {
      this.#db.close()
      if (!(error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY'))) throw error
      throw new OperatorError('Waymark is running on this data: stop it first')
    }
    this.#db.defaultSafeIntegers(true)
  }

  /** The tables, in the order of their foreign keys. */
  tables(): SourceTable[] {
    const names = this.#db
      .prepare<[], { name: string }>(
        `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`,
      )
      .all()
      .map((row) => row.name)
      .filter((name) => !LEFT_OUT.has(name))
    const ordered = new Set<string>()
    const visit = (name: string, path: readonly string[]): void => {
      if (ordered.has(name) || path.includes(name)) return
      for (const parent of this.#parents(name)) visit(parent, [...path, name])
      ordered.add(name)
    }
    for (const name of names) visit(name, [])
    return [...ordered].map((name) => this.#describe(name))
  }

  /** The rows after the given key that fit into a batch. */
  batch({ name, columns, key }: SourceTable, after: readonly Value[] | undefined): Batch | undefined {
    const where =
      after === undefined ? '' : `where (${list(key.map(nameOf))}) > (${key.map(() => '?').join(', ')})`
    const order = list(key.map(nameOf))
    const text = `select ${list(columns)} from "${name}" ${where} order by ${order} limit ${BATCH_ROWS}`
    const from = (after ?? []).map((value, at) => (key[at]?.integer ? BigInt(value ?? 0) : value))
    const rows: Value[][] = []
    let characters = 0
    for (const raw of this.#db
      .prepare<unknown[], unknown[]>(text)
      .raw()
      .iterate(...from)) {
      const row = raw.map(toValue)
      rows.push(row)
      for (const value of row) if (typeof value === 'string') characters += value.length
      if (characters > BATCH_CHARACTERS) break
    }
    const last = rows.at(-1)
    if (last === undefined) return undefined
    return { rows, lastKey: key.map((column) => last[columns.indexOf(column.name)] ?? null) }
  }

  *hashes(): Generator<string> {
    const rows = this.#db.prepare<[string], { hash: string }>(
      'select hash from blobs where hash > ? order by hash limit 1000',
    )
    for (let after = ''; ;) {
      const some = rows.all(after)
      for (const { hash } of some) yield hash
      const last = some.at(-1)
      if (last === undefined) return
      after = last.hash
    }
  }

  close(): void {
    this.#db.close()
  }

  #describe(name: string): SourceTable {
    const info = this.#db
      .prepare<[string], { name: string; type: string; pk: bigint }>(
        'select name, type, pk from pragma_table_info(?)',
      )
      .all(name)
    const key = info.filter(({ pk }) => pk > 0n).sort((a, b) => Number(a.pk - b.pk))
    if (key.length === 0) throw new Error(`The table ${name} has no primary key`)
    const count = this.#db.prepare<[], { n: bigint }>(`select count(*) as n from "${name}"`).get()
    return {
      name,
      columns: info.map((column) => column.name),
      key: key.map(({ name: column, type }) => ({ name: column, integer: type === 'INTEGER' })),
      rows: Number(count?.n ?? 0n),
    }
  }

  #parents(name: string): string[] {
    return this.#db
      .prepare<[string], { table: string }>('select distinct "table" from pragma_foreign_key_list(?)')
      .all(name)
      .map((row) => row.table)
  }
}

function toValue(value: unknown): Value {
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  // PostgreSQL's text format for bytes, so that both sides have the same checksum.
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  throw new Error('A column has a value of an unexpected type')
}

function nameOf(column: KeyColumn): string {
  return column.name
}

function list(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

/** A value that both engines represent exactly: whole numbers as text. */
export type Value = string | number | null

/**
 * The checksum of any number of rows in any order: the sum of their digests. Stored as text between batches, so that an
 * interrupted move can continue.
 */
export class RowSum {
  #high: number
  #low: number

  constructor(saved = '0-0') {
    const [high = 0, low = 0] = saved.split('-').map((part) => Number.parseInt(part, 16))
    this.#high = high
    this.#low = low
  }

  add(row: readonly Value[]): void {
    const digest = hash('sha256', JSON.stringify(row), 'buffer')
    this.#high = (this.#high + digest.readUIntBE(0, 6)) % 2 ** 48
    this.#low = (this.#low + digest.readUIntBE(6, 6)) % 2 ** 48
  }

  toString(): string {
    return `${this.#high.toString(16)}-${this.#low.toString(16)}`
  }
}
