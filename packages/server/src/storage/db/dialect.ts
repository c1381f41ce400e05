import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'

type Engine = 'sqlite' | 'postgres'

/**
 * `key`: text that is compared and sorted by its bytes. `bytes`: packed or random data, which PostgreSQL should not try to
 * compress. `?` after a type: nullable. An object is a column with a default.
 */
type ColumnKind =
  | 'key'
  | 'key?'
  | 'text'
  | 'text?'
  | 'int'
  | 'int?'
  | 'real'
  | 'bytes'
  | { readonly int: number }
  | { readonly text: '' }

interface TableShape {
  readonly columns: Record<string, ColumnKind>
  readonly primary: string[]
  readonly unique?: string[][]
  /** column → `table.column`; with ` cascade` the row is deleted with the row it refers to. */
  readonly references?: Record<string, string>
  /** `?` after a column: a partial index of rows that have a value there. */
  readonly indexes?: string[][]
  /** Small rows that are only read by primary key: SQLite then stores them in the index of the key. */
  readonly clustered?: boolean
}

/** All differences between the two engines. */
export class Dialect {
  readonly engine: Engine
  /** PostgreSQL: a collation whose lower() supports every script, whatever the locale of the database. */
  readonly #unicode: string | undefined

  constructor(engine: Engine, unicodeCollation?: string) {
    this.engine = engine
    this.#unicode = unicodeCollation
  }

  /** Whether one of the columns contains the text, ignoring case. Nothing in the text is a wildcard. */
  contains(columns: readonly string[], text: string): RawBuilder<SqlBool> {
    if (columns.length === 0) return sql<SqlBool>`1 = 0`
    const tests = columns.map((column) => this.#containsOne(column, text))
    return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
  }

  /** Like `contains`, for columns whose ASCII letters are lower case: an ASCII search then only compares bytes. */
  loweredContains(columns: readonly string[], text: string): RawBuilder<SqlBool> {
    if (!isAscii(text)) return this.contains(columns, text)
    const needle = text.toLowerCase()
    const tests = columns.map((column) =>
      this.engine === 'postgres'
        ? sql<SqlBool>`position(${needle} in ${sql.ref(column)}) > 0`
        : sql<SqlBool>`instr(${sql.ref(column)}, ${needle}) > 0`,
    )
    return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
  }

  #containsOne(column: string, text: string): RawBuilder<SqlBool> {
    const value = sql.ref(column)
    // An ASCII search folds only ASCII, on both engines: four times as fast as Unicode rules.
    if (this.engine === 'postgres' && isAscii(text))
      return sql<SqlBool>`position(${text.toLowerCase()} in lower(${value} collate "C")) > 0`
    if (this.engine === 'postgres') {
      const [haystack, needle] = [this.#folded(value), this.#folded(sql`cast(${text} as text)`)]
      return sql<SqlBool>`position(${needle} in ${haystack}) > 0`
    }
    // SQLite's LIKE folds only ASCII, in C. Only other searches need the slower function.
    if (isAscii(text)) return sql<SqlBool>`${value} like ${`%${escapeLike(text)}%`} escape '\\'`
    return sql<SqlBool>`instr(fold(${value}), ${fold(text)}) > 0`
  }

  #folded(value: RawBuilder<unknown>): RawBuilder<unknown> {
    const collated = this.#unicode === undefined ? value : sql`${value} collate ${sql.id(this.#unicode)}`
    // Twice as fast as translate().
    return sql`replace(lower(${collated}), 'ς', 'σ')`
  }

  /** The larger of two values; ignores null. */
  greatest<T>(left: RawBuilder<T>, right: RawBuilder<T>): RawBuilder<T> {
    if (this.engine === 'postgres') return sql<T>`greatest(${left}, ${right})`
    return sql<T>`max(coalesce(${left}, ${right}), coalesce(${right}, ${left}))`
  }

  /**
   * A condition on the owner of rows that are selected by many uuids. SQLite expects a list of uuids to match many rows and
   * would scan all rows of the user, 200 ms for 100,000 links. The plus sign keeps it from using that index.
   */
  ownedBy(workspaceUuid: string): RawBuilder<SqlBool> {
    return this.engine === 'sqlite'
      ? sql<SqlBool>`+workspace_uuid = ${workspaceUuid}`
      : sql<SqlBool>`workspace_uuid = ${workspaceUuid}`
  }

  /**
   * Whether the uuid of a row is among a few thousand of another table. PostgreSQL expects them to be one row while a new
   * table has no statistics, and would compare all pairs; with an array it uses the index.
   */
  uuidAmong(uuids: RawBuilder<unknown>): RawBuilder<SqlBool> {
    return this.engine === 'sqlite'
      ? sql<SqlBool>`uuid in (${uuids})`
      : sql<SqlBool>`uuid = any (array(${uuids}))`
  }

  /** Locks the rows of a query until the write ends. SQLite has only one writer anyway. */
  locking<Query extends { forUpdate(): Query }>(query: Query): Query {
    return this.engine === 'postgres' ? query.forUpdate() : query
  }

  /** Creates a table of the same shape on both engines. */
  async createTable(db: Kysely<unknown>, name: string, shape: TableShape): Promise<void> {
    const lines = Object.entries(shape.columns).map(([column, kind]) => this.#column(column, kind))
    lines.push(`primary key (${list(shape.primary)})`)
    for (const columns of shape.unique ?? []) lines.push(`unique (${list(columns)})`)
    for (const [column, target] of Object.entries(shape.references ?? {}))
      lines.push(reference(column, target))
    const clustered = shape.clustered === true ? ', without rowid' : ''
    const ending = this.engine === 'sqlite' ? ` strict${clustered}` : ''
    await sql.raw(`create table "${name}" (${lines.join(', ')})${ending}`).execute(db)
    for (const [column, kind] of Object.entries(shape.columns))
      if (kind === 'bytes' && this.engine === 'postgres')
        await sql.raw(`alter table "${name}" alter column "${column}" set storage external`).execute(db)
    for (const columns of shape.indexes ?? []) await this.createIndex(db, name, columns)
  }

  /** Adds a column to an existing table; existing rows get null, or the default. */
  async addColumn(
    db: Kysely<unknown>,
    table: string,
    name: string,
    kind: Extract<ColumnKind, `${string}?` | object>,
  ): Promise<void> {
    await sql.raw(`alter table "${table}" add column ${this.#column(name, kind)}`).execute(db)
  }

  async createIndex(db: Kysely<unknown>, table: string, marked: string[]): Promise<void> {
    const columns = marked.map((column) => column.replace('?', ''))
    const present = columns
      .filter((column) => !marked.includes(column))
      .map((name) => `"${name}" is not null`)
    const only = present.length === 0 ? '' : ` where ${present.join(' and ')}`
    const name = `${table}_${columns.join('_')}`
    await sql.raw(`create index "${name}" on "${table}" (${list(columns)})${only}`).execute(db)
  }

  #column(name: string, kind: ColumnKind): string {
    if (typeof kind === 'object')
      return 'int' in kind
        ? `${this.#column(name, 'int')} default ${kind.int}`
        : `${this.#column(name, 'text')} default '${kind.text}'`
    const isSqlite = this.engine === 'sqlite'
    const types: Record<string, string> = {
      int: isSqlite ? 'integer' : 'bigint',
      key: isSqlite ? 'text' : 'text collate "C"',
      text: 'text',
      real: isSqlite ? 'real' : 'double precision',
      bytes: isSqlite ? 'blob' : 'bytea',
    }
    const type = types[kind.replace('?', '')] ?? 'text'
    return `"${name}" ${type}${kind.endsWith('?') ? '' : ' not null'}`
  }
}

/** Case folding for search: lower case, with the Greek final sigma replaced by the other one. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

function list(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

function reference(column: string, target: string): string {
  const [path = '', onDelete] = target.split(' ')
  const [table = '', key = ''] = path.split('.')
  const ending = onDelete === undefined ? '' : ` on delete ${onDelete}`
  return `foreign key ("${column}") references "${table}" ("${key}")${ending}`
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
