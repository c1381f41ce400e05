import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { type CompiledQuery, type Kysely, type QueryResult, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Dialect } from './dialect.ts'
import type { Replica } from './replica.ts'
import { runEffects, type Savepoints, Scopes, WriteGuard } from './scopes.ts'
import type { Tables } from './tables.ts'
import { isConflict, isUnavailable, UnavailableError } from './unavailable.ts'

const CONFLICT_TRIES = 5
const PING_MS = 2_000

const savepoints: Savepoints = {
  begin: async ({ handle }, name) => void (await sql.raw(`savepoint ${name}`).execute(handle)),
  release: async ({ handle }, name) => void (await sql.raw(`release ${name}`).execute(handle)),
  rollback: async ({ handle }, name) => {
    await sql.raw(`rollback to ${name}`).execute(handle)
    await sql.raw(`release ${name}`).execute(handle)
  },
}

/** Where a `read` reads: on the primary after it has written something. */
interface Reading {
  handle: Kysely<Tables> | undefined
}

/** One pool; a write uses one of its connections from begin to commit. */
export class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly sqliteReader = undefined
  readonly dialect: Dialect
  readonly postgres: NonNullable<Database['postgres']>
  readonly #handle: Kysely<Tables>
  readonly #reading: Kysely<Tables>
  readonly #report: (error: unknown) => void
  readonly #scopes = new Scopes(savepoints)
  readonly #replica: Replica | undefined
  readonly #readings = new AsyncLocalStorage<Reading>()
  readonly #underWay = new Set<Promise<void>>()

  constructor(
    handle: Kysely<Tables>,
    postgres: NonNullable<Database['postgres']>,
    dialect: Dialect,
    report: (error: unknown) => void,
    replica?: Replica,
  ) {
    this.#handle = handle
    this.#reading = handle.withPlugin(new WriteGuard())
    this.postgres = postgres
    this.dialect = dialect
    this.#report = report
    this.#replica = replica
  }

  get sql(): Kysely<Tables> {
    return this.#scopes.current()?.handle ?? this.#readings.getStore()?.handle ?? this.#reading
  }

  get serving(): this {
    return this
  }

  useReaderThreads(): void {
    // PostgreSQL reads in processes of its own.
  }

  run<Row>(statement: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.sql.executeQuery({ ...statement, parameters })
  }

  write<T>(work: () => Promise<T>): Promise<T> {
    const outer = this.#scopes.current()
    if (outer !== undefined) return this.#scopes.nest(outer, work)
    const reading = this.#readings.getStore()
    if (reading !== undefined) reading.handle = undefined
    const writing = this.#commit(work)
    const ended = writing.then(
      () => void this.#underWay.delete(ended),
      () => void this.#underWay.delete(ended),
    )
    this.#underWay.add(ended)
    return writing
  }

  afterCommit(effect: () => void): void {
    const scope = this.#scopes.current()
    if (scope === undefined) effect()
    else scope.effects.push(effect)
  }

  async read<T>(work: () => Promise<T>): Promise<T> {
    const handle = this.#scopes.current() === undefined ? await this.#replica?.current() : undefined
    if (handle === undefined) return work()
    const reading: Reading = { handle }
    try {
      return await this.#readings.run(reading, work)
    } catch (error) {
      if (!isUnavailable(error) || reading.handle === undefined) throw error
      this.#replica?.pause(error)
      return work()
    }
  }

  ping(): Promise<void> {
    return answersWithin(PING_MS, sql`select 1`.execute(this.#reading))
  }

  purgeLog(): Promise<boolean> {
    return Promise.resolve(true)
  }

  async close(): Promise<void> {
    await Promise.all(this.#underWay)
    await this.#replica?.close()
    await this.postgres.visitorPool.end()
    await this.#handle.destroy()
  }

  async #commit<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#commitOnce(work)
      } catch (error) {
        if (!isConflict(error) || attempt === CONFLICT_TRIES) throw error
        await delay(Math.random() * 20 * attempt)
      }
    }
  }

  async #commitOnce<T>(work: () => Promise<T>): Promise<T> {
    const effects: (() => void)[] = []
    const result = await this.#handle.transaction().execute(async (transaction) => {
      const scope = this.#scopes.create(transaction)
      const value = await this.#scopes.run(scope, work)
      effects.push(...scope.effects)
      return value
    })
    runEffects(effects, this.#report)
    return result
  }
}

async function answersWithin(limitMs: number, question: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new UnavailableError('PostgreSQL does not respond')), limitMs)
  })
  try {
    await Promise.race([question, late])
  } finally {
    clearTimeout(timer)
  }
}
