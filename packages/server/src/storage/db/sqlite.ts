import { join } from 'node:path'
import type { Database as Sqlite, Statement } from 'better-sqlite3'
import {
  type CompiledQuery,
  Kysely,
  type KyselyPlugin,
  type QueryResult,
  sql,
  type SqliteDatabase as KyselySqlite,
  SqliteDialect,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { Turns } from '../../work/turns.ts'
import { dataFolder } from '../data-folder.ts'
import type { Database, OpenOptions } from './database.ts'
import { Dialect } from './dialect.ts'
import { isMigrated, migrate } from './migrator.ts'
import { makePrivateFile, makePrivateFolder } from './private-folder.ts'
import { openReaderThreads, type ReaderThreads } from './reader-threads.ts'
import { runEffects, Scopes, WriteGuard } from './scopes.ts'
import { connect, connectReader, retryWhileBusy } from './sqlite-connection.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import type { Tables } from './tables.ts'
import { type LogFlush, openLogFlush } from './write-ahead-log.ts'

const START_WAIT_MS = 30_000
/** How long statements of a write run before visitors get a turn. */
const WRITE_TURN_MS = 10
/**
 * When the log has this many pages of 4 KB, a commit checkpoints what the counting thread has not, and redirects wait for
 * it. With a larger number this is rarer but takes longer.
 */
const LOG_PAGES = 1_000

/** The embedded engine: one connection for writing and one for look-ups in this thread, others for reading in threads. */
export async function openSqlite(options: OpenOptions): Promise<Database> {
  await makePrivateFolder(options.dataDir)
  const file = join(options.dataDir, dataFolder.database)
  await makePrivateFile(file)
  const dialect = new Dialect('sqlite')
  const writer = await whenFree(() => connect(file, 8))
  try {
    await migrateFile(writer, dialect, options)
    const reader = await whenFree(() => connectReader(file, 8))
    const log = openLogFlush(file)
    // From here on the log is flushed in another thread.
    writer.pragma('synchronous = normal')
    writer.pragma(`wal_autocheckpoint = ${LOG_PAGES}`)
    return compose({ file, writer, reader }, log, dialect, options)
  } catch (error) {
    writer.close()
    throw error
  }
}

/** Several processes may start on the same new file: later ones wait. */
const whenFree = <T>(step: () => T | Promise<T>): Promise<T> => retryWhileBusy(step, START_WAIT_MS)

async function migrateFile(db: Sqlite, dialect: Dialect, { migrations, now }: OpenOptions): Promise<void> {
  const handle = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) })
  if (await whenFree(() => isMigrated(handle, dialect, migrations))) return
  await whenFree(() => db.exec('begin exclusive'))
  try {
    await migrate(handle, dialect, migrations, now())
    db.exec('commit')
  } catch (error) {
    if (db.inTransaction) db.exec('rollback')
    throw error
  }
}

function compose(
  { file, writer, reader }: { readonly file: string; readonly writer: Sqlite; readonly reader: Sqlite },
  log: LogFlush,
  dialect: Dialect,
  options: OpenOptions,
): Database {
  const [written, read] = [cachingStatements(writer), cachingStatements(reader)]
  const writes = new Turns(WRITE_TURN_MS, { restTurns: 4 })
  const writing = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: written }),
    plugins: [yieldingBetween(writes)],
  })
  const lookingUp = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: read }),
    plugins: [new WriteGuard()],
  })
  let threads: ReaderThreads | undefined
  const scopes = new Scopes({
    begin: async (_scope, name) => void writer.exec(`savepoint ${name}`),
    release: async (_scope, name) => void writer.exec(`release ${name}`),
    rollback: async (_scope, name) => void writer.exec(`rollback to ${name}; release ${name}`),
  })
  const group = new SqliteWriter(writer, () => log.flush(), options)
  /** `outside`: what reads outside of a write. */
  const over = (outside: () => Kysely<Tables>, serving?: Database): Database => ({
    engine: 'sqlite',
    dialect,
    get sql() {
      return scopes.current()?.handle ?? outside()
    },
    get serving() {
      return serving ?? this
    },
    useReaderThreads(count) {
      threads ??= openReaderThreads(file, [new WriteGuard()], count)
    },
    // Without the builder, which would create half a dozen promises.
    async run<Row>(statement: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
      if (scopes.current() === undefined) return runHere(read.cached(statement), parameters)
      const result = runHere<Row>(written.cached(statement), parameters)
      const rest = writes.rest()
      if (rest !== undefined) await rest
      return result
    },
    write(work, priority, released) {
      const outer = scopes.current()
      if (outer !== undefined) return scopes.nest(outer, work)
      const scope = scopes.create(writing)
      const afterCommit = (): void => runEffects(scope.effects, options.report)
      const abandoned = (): void => void (scope.open = false)
      return group.write(() => scopes.run(scope, work), { afterCommit, abandoned, released }, priority)
    },
    afterCommit(effect) {
      const scope = scopes.current()
      if (scope === undefined) effect()
      else scope.effects.push(effect)
    },
    read: (work) => work(),
    async ping() {
      await sql`select count(*) from schema_migrations`.execute(lookingUp)
    },
    async purgeLog() {
      if (writer.inTransaction) return false
      const [{ busy } = { busy: 1 }] = writer.pragma('wal_checkpoint(truncate)') as { busy: number }[]
      return busy === 0
    },
    async close() {
      await group.close()
      await log.close()
      await threads?.close()
      reader.close()
      writer.close()
    },
    sqliteReader: reader,
    postgres: undefined,
  })
  return over(
    () => threads?.sql ?? lookingUp,
    over(() => lookingUp),
  )
}

/** SQLite statements are synchronous, so a write of a thousand rows would block the event loop. */
const yieldingBetween = (turns: Turns): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    await turns.rest()
    return result
  },
})

function runHere<Row>(statement: Statement, parameters: readonly unknown[]): QueryResult<Row> {
  if (statement.reader) return { rows: statement.all(parameters) as Row[] }
  return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
}

interface Preparing extends KyselySqlite {
  /** For statements that are prepared once. */
  cached(query: CompiledQuery): Statement
}

/** Preparing a statement costs more than running most of them. */
function cachingStatements(db: Sqlite): Preparing {
  const cached = new LRUCache<string, Statement>({ max: 300 })
  const forEver = new WeakMap<CompiledQuery, Statement>()
  return {
    cached(query) {
      const found = forEver.get(query)
      if (found !== undefined) return found
      const statement = db.prepare(query.sql)
      forEver.set(query, statement)
      return statement
    },
    prepare(text) {
      const found = cached.get(text)
      if (found !== undefined && !found.busy) return found
      const statement = db.prepare(text)
      cached.set(text, statement)
      return statement
    },
    close: () => void db.close(),
  }
}
