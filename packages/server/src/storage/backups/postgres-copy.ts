import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Client } from 'pg'
import { dataFolder } from '../data-folder.ts'
import { OperatorError } from '../../net/errors.ts'
import { openDatabase } from '../db/open.ts'
import { moveTables } from '../moves/move.ts'
import { PostgresTarget } from '../moves/postgres-target.ts'
import { type SourceTable, SqliteSource } from '../moves/sqlite-source.ts'

/*
 * A backup of PostgreSQL is an SQLite file with the same tables. Both databases share one format, which can be written,
 * verified and restored without PostgreSQL programs of a certain version.
 */

/** A row of packed clicks has at most some hundred kilobytes. */
const FETCH_ROWS = 200

const INT8 = 20
const FLOAT8 = 701
const BYTEA = 17
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: BigInt,
  [FLOAT8]: Number,
  [BYTEA]: (text) => Buffer.from(text.slice(String.raw`\x`.length), 'hex'),
}
const EXACT = { getTypeParser: (oid: number) => parsers[oid] ?? String }

/** Copies all rows, from one snapshot, into a new SQLite database in a folder. */
export async function copyPostgres(url: string, folder: string): Promise<void> {
  await (await openDatabase({ url: undefined, dataDir: folder })).close()
  const file = join(folder, dataFolder.database)
  const source = new SqliteSource(file)
  const tables = source.tables()
  source.close()
  const client = new Client({
    connectionString: url,
    application_name: 'waymark backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // A lost connection also fails the next statement, which reports it.
  client.on('error', () => undefined)
  const db = new SqliteDatabase(file)
  try {
    // An interrupted copy is started again, so it need not survive a crash.
    db.pragma('journal_mode = off')
    db.pragma('synchronous = off')
    db.pragma('foreign_keys = off')
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await compareSchemas(client, db)
    for (const table of tables) await copyTable(client, db, table)
  } finally {
    db.close()
    await client.end().catch(() => undefined)
  }
}

async function compareSchemas(client: Client, db: SqliteDatabase.Database): Promise<void> {
  const text = 'select name from schema_migrations order by name'
  const known = db.prepare<[], { name: string }>(text).all()
  const { rows } = await client.query<{ name: string }>(text)
  if (known.map(({ name }) => name).join() !== rows.map(({ name }) => name).join())
    throw new OperatorError(
      'the schema of the database belongs to another version of Waymark: back up with that version',
    )
}

async function copyTable(client: Client, db: SqliteDatabase.Database, table: SourceTable): Promise<void> {
  const columns = table.columns.map((column) => `"${column}"`).join(', ')
  const places = table.columns.map(() => '?').join(', ')
  const insert = db.prepare(`insert into "${table.name}" (${columns}) values (${places})`)
  const insertAll = db.transaction((rows: readonly unknown[][]) => {
    for (const row of rows) insert.run(row)
  })
  await client.query(`declare all_rows no scroll cursor for select ${columns} from "${table.name}"`)
  for (;;) {
    const text = `fetch ${FETCH_ROWS} from all_rows`
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array', types: EXACT })
    if (rows.length === 0) break
    insertAll(rows)
  }
  await client.query('close all_rows')
}

/**
 * Moves the rows of an unpacked backup into an empty PostgreSQL database and reads them back. `placeFiles` runs when all
 * rows are stored; until it has finished, an interrupted restore can be repeated.
 */
export async function restoreIntoPostgres(
  folder: string,
  url: string,
  name: string,
  placeFiles: () => Promise<void>,
): Promise<void> {
  for (const target of [undefined, url]) await (await openDatabase({ url: target, dataDir: folder })).close()
  const source = new SqliteSource(join(folder, dataFolder.database))
  const target = new PostgresTarget(url)
  try {
    await moveTables(source, target, name, () => undefined)
    await placeFiles()
    await target.finish()
  } finally {
    source.close()
    await target.close().catch(() => undefined)
  }
}
