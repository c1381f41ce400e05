import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { sql } from 'kysely'
import { readableBatch } from '../batches/packed-batch.ts'
import { readByteRows } from '../../storage/db/byte-rows.ts'
import type { Database } from '../../storage/db/database.ts'
import { Background } from '../../work/background.ts'
import { HOUR_MS } from '../../work/times.ts'
import { type ClickHouse, ClickHouseError, quoted, SESSION_IS_LOCKED, uuid, uuids } from './client.ts'
import type { ClickHouseLease } from './lease.ts'
import { rememberSent } from './sent-periods.ts'
import {
  blockOf,
  INSERT,
  moment,
  type NamedBatch,
  partitionOf,
  partitionStart,
  prepareTable,
  TABLE,
} from './table.ts'

/** Largest number of rows in an insert. A batch has at most 50,000 clicks. */
const MAX_ROWS = 100_000
/** Largest size of an insert's packed batches, which are held in memory. */
const MAX_BYTES = 16 * 1024 * 1024
const LISTED_BATCHES = 2_000
const POLL_MS = 1_000
/** Pauses after failures grow from the first to the longest. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
const SWEEP_EVERY_MS = HOUR_MS
const CLOSE_MS = 2_000
/** How often, and how many times, to check an insert or deletion that is still running in ClickHouse. */
const LOOK_EVERY_MS = 250
const LOOKS = 120
/** Upper bound for the clock difference between two nodes. */
const CLOCKS_DIFFER_MS = HOUR_MS

interface WaitingBatch {
  readonly workspaceUuid: string
  /** The first millisecond of its UTC day. */
  readonly day: number
  readonly id: string
  readonly clicks: number
  readonly bytes: number
}

export interface SenderOptions {
  readonly db: Database
  readonly clickhouse: ClickHouse
  readonly lease: ClickHouseLease
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Retention and erasure, once an hour in the process that has the lease. */
  readonly sweep: () => Promise<void>
  readonly maxRows?: number
}

/**
 * Copies the stored batches to ClickHouse, one row per click, and deletes them from the database. An insert contains batches
 * of one UTC month, its `query_id` is the id of the first, and each row names its batch. If an insert fails, or a process
 * finds batches that another may have sent, it waits until that insert is over and asks ClickHouse which rows it has. So
 * each click is stored once.
 */
export class ClickSender {
  readonly #options: SenderOptions
  readonly #background: Background
  readonly #unconfirmed = new UnconfirmedBatches()
  #isPrepared = false
  #pauseMs = 0
  #resumeAtMs = 0
  #sweepAtMs = 0
  #fault: string | undefined
  /** Rows that this process has sent. */
  sent = 0
  failures = 0
  /** Time of the oldest waiting batch; undefined in processes that do not send. */
  oldestMs: number | undefined

  constructor(options: SenderOptions) {
    this.#options = options
    this.#background = new Background((error) => this.#fail(error))
  }

  /** Why clicks are waiting in the database, if sending fails. */
  get fault(): string | undefined {
    return this.#fault
  }

  start(): void {
    this.#background.every(POLL_MS, () => this.#turn())
  }

  /** A running insert continues in ClickHouse; the next process checks for it. */
  async close(): Promise<void> {
    await this.#background.close(CLOSE_MS)
  }

  async #turn(): Promise<void> {
    const { clickhouse, lease } = this.#options
    if (performance.now() < this.#resumeAtMs) return
    const led = await lease.exclusively(() => this.#work())
    // A standby process also reports whether ClickHouse can be reached.
    if (led === undefined) {
      this.oldestMs = undefined
      await clickhouse.ping()
    } else await this.#sweep()
    this.#recover()
  }

  async #work(): Promise<true> {
    while (!this.#background.closing.aborted && (await this.sendSome()));
    return true
  }

  async #sweep(): Promise<void> {
    if (performance.now() < this.#sweepAtMs) return
    this.#sweepAtMs = performance.now() + SWEEP_EVERY_MS
    const { sweep, log } = this.#options
    // Failing to drop a large partition must not stop sending.
    await sweep().catch((error: unknown) =>
      log.warn(
        { fault: messageOf(error) },
        'old and erased clicks could not be deleted in ClickHouse; tried again in an hour',
      ),
    )
  }

  /** Sends one insert, under the lease; returns false when no batch waits. */
  async sendSome(): Promise<boolean> {
    const { db, clickhouse, lease, maxRows = MAX_ROWS } = this.#options
    await this.#unconfirmed.begin(db, lease.term)
    const waiting = await listWaiting(db)
    this.oldestMs = waiting.length === 0 ? undefined : Math.min(...waiting.map(({ id }) => batchTime(id)))
    // Notices an outage also if there is nothing to send, and before an insert would wait for its timeout.
    await clickhouse.ping()
    if (!this.#isPrepared) await prepareTable(clickhouse)
    this.#isPrepared = true
    const group = groupOf(waiting, maxRows)
    if (group.length === 0) return false
    const unsent = this.#unconfirmed.has(group) ? await this.#check(group) : group
    if (unsent.length === 0) return true
    const batches = await readWaiting(db, unsent)
    // Some batches were deleted or set aside meanwhile: list them again.
    if (batches === undefined) return true
    // If anything fails before these batches are deleted, check with ClickHouse before sending them again.
    this.#unconfirmed.add(unsent)
    await clickhouse.insert(INSERT, unsent[0]!.id, blockOf(batches), () => lease.confirm())
    await deleteSent(db, unsent)
    this.#unconfirmed.clear(unsent)
    this.sent += unsent.reduce((sum, { clicks }) => sum + clicks, 0)
    return true
  }

  /** Deletes batches that ClickHouse has, and rows of batches that it has in part. Returns the batches to send. */
  async #check(group: readonly WaitingBatch[]): Promise<WaitingBatch[]> {
    const { db, clickhouse } = this.#options
    const ids = group.map(({ id }) => id)
    await this.#until(
      'An insert goes on in ClickHouse',
      `select count() as running from system.processes where query_id in (${ids.map(quoted).join(',')})`,
    )
    const counts = await countRows(clickhouse, group)
    const isWhole = ({ id, clicks }: WaitingBatch): boolean => counts.get(id) === clicks
    const partial = group.filter((batch) => counts.has(batch.id) && !isWhole(batch))
    if (partial.length > 0) await this.#deleteRows(partial)
    await deleteSent(db, group.filter(isWhole))
    this.#unconfirmed.clear(group)
    return group.filter((batch) => !isWhole(batch))
  }

  async #deleteRows(batches: readonly WaitingBatch[]): Promise<void> {
    const { clickhouse, lease } = this.#options
    const condition = batches.map(({ id }) => uuid(id)).join(',')
    await clickhouse.run(`alter table ${TABLE} delete where batch_uuid in (${condition})`, () =>
      lease.confirm(),
    )
    await this.#until(
      'A deletion goes on in ClickHouse',
      `select count() as running from system.mutations
        where database = currentDatabase() and table = '${TABLE}' and is_done = 0`,
    )
  }

  async #until(reason: string, statement: string): Promise<void> {
    const { closing } = this.#background
    for (let look = 0; look < LOOKS; look++) {
      if (!(await isRunning(this.#options.clickhouse, statement))) return
      await delay(LOOK_EVERY_MS, undefined, { signal: closing }).catch(() => undefined)
      if (closing.aborted) break
    }
    throw new Error(reason)
  }

  /** Logs one line per outage, not per attempt. */
  #fail(error: unknown): void {
    this.failures++
    this.#isPrepared = false
    this.#pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2), LONGEST_PAUSE_MS)
    this.#resumeAtMs = performance.now() + this.#pauseMs
    const isNew = this.#fault === undefined
    this.#fault = messageOf(error)
    if (isNew)
      this.#options.log.warn(
        { fault: this.#fault },
        'clicks are not sent to ClickHouse; they wait in the database',
      )
  }

  #recover(): void {
    this.#pauseMs = 0
    if (this.#fault === undefined) return
    this.#fault = undefined
    this.#options.log.info('clicks are sent to ClickHouse again')
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Batches that ClickHouse may already have: after taking the lease, those that another process may have sent (also if the
 * database was restored from a backup); later, those whose insert or deletion failed.
 */
class UnconfirmedBatches {
  #ids = new Set<string>()
  /** All batches counted before this moment are possible. */
  #beforeMs = Infinity
  #term: number | undefined

  /** Runs once each time the process takes the lease. */
  async begin(db: Database, term: number): Promise<void> {
    if (this.#term === term) return
    const beforeMs = Date.now() - CLOCKS_DIFFER_MS
    this.#ids = new Set(await listIds(db, beforeMs))
    this.#beforeMs = beforeMs
    this.#term = term
  }

  has(group: readonly WaitingBatch[]): boolean {
    return group.some(({ id }) => this.#ids.has(id) || batchTime(id) < this.#beforeMs)
  }

  add(group: readonly WaitingBatch[]): void {
    for (const { id } of group) this.#ids.add(id)
  }

  clear(group: readonly WaitingBatch[]): void {
    for (const { id } of group) this.#ids.delete(id)
  }
}

/** When a batch was counted: the time in its UUIDv7. */
export const batchTime = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Batches of one month within the limits; at least one. */
function groupOf(waiting: readonly WaitingBatch[], maxRows: number): WaitingBatch[] {
  const [first] = waiting
  if (first === undefined) return []
  const month = partitionOf(first.day)
  const group: WaitingBatch[] = []
  let [clicks, bytes] = [0, 0]
  for (const batch of waiting) {
    clicks += batch.clicks
    bytes += batch.bytes
    const isFull = clicks > maxRows || bytes > MAX_BYTES
    if (group.length > 0 && (isFull || partitionOf(batch.day) !== month)) break
    group.push(batch)
  }
  return group
}

/** True if the statement finds something, or a change is running that ClickHouse does not list yet. */
async function isRunning(clickhouse: ClickHouse, statement: string): Promise<boolean> {
  try {
    const [row] = await clickhouse.rows<{ running: number }>(statement, true)
    return row?.running !== 0
  } catch (error) {
    if (error instanceof ClickHouseError && error.code === SESSION_IS_LOCKED) return true
    throw error
  }
}

async function countRows(
  clickhouse: ClickHouse,
  group: readonly WaitingBatch[],
): Promise<ReadonlyMap<string, number>> {
  const month = partitionOf(group[0]?.day ?? 0)
  const workspaces = [...new Set(group.map(({ workspaceUuid }) => workspaceUuid))]
  const rows = await clickhouse.rows<{ batch_uuid: string; clicks: number }>(
    `select batch_uuid, count() as clicks from ${TABLE}
      where toYYYYMM(at) = ${month} and at >= ${moment(partitionStart(month))}
        and workspace_uuid in ${uuids(workspaces)} and batch_uuid in ${uuids(group.map(({ id }) => id))}
      group by batch_uuid`,
  )
  return new Map(rows.map(({ batch_uuid, clicks }) => [batch_uuid, clicks]))
}

/** Oldest days first. */
async function listWaiting(db: Database): Promise<WaitingBatch[]> {
  return db.read(async () => {
    const rows = await db.sql
      .selectFrom('click_batches')
      .select(['workspace_uuid', 'day', 'id', 'clicks', sql<number>`length(data)`.as('bytes')])
      .orderBy('day')
      .limit(LISTED_BATCHES)
      .execute()
    return rows.map(({ workspace_uuid, ...row }) => ({ workspaceUuid: workspace_uuid, ...row }))
  })
}

/** Ids of batches counted since then. */
async function listIds(db: Database, sinceMs: number): Promise<string[]> {
  const prefix = Math.max(0, sinceMs).toString(16).padStart(12, '0')
  const first = `${prefix.slice(0, 8)}-${prefix.slice(8)}-7000`
  const rows = await db.read(() =>
    db.sql.selectFrom('click_batches').select('id').where('id', '>=', first).execute(),
  )
  return rows.map(({ id }) => id)
}

/** Undefined if a batch no longer exists, or is unreadable and has been set aside. */
async function readWaiting(db: Database, group: readonly WaitingBatch[]): Promise<NamedBatch[] | undefined> {
  const found: NamedBatch[] = []
  for (const waiting of group) {
    const { workspaceUuid, day, id } = waiting
    const [row] = await db.read(() =>
      readByteRows(
        db,
        (value) => sql`select id, data from click_batches
          where workspace_uuid = ${value(workspaceUuid)} and day = ${value(day)} and id = ${value(id)}`,
      ),
    )
    if (row === undefined) return undefined
    const batch = readableBatch(row.data)
    if (batch === undefined) {
      await setAside(db, waiting)
      return undefined
    }
    found.push({ workspaceUuid, day, id, batch })
  }
  return found
}

/** Sets a batch aside so that the batches after it can be sent. */
async function setAside(db: Database, batch: WaitingBatch): Promise<void> {
  const { workspaceUuid, day, id } = batch
  const reason = 'The batch cannot be read'
  await db.write(async () => {
    await sql`insert into set_aside_clicks (workspace_uuid, day, id, clicks, reason, data)
      select workspace_uuid, day, id, clicks, ${reason}, data from click_batches
      where workspace_uuid = ${workspaceUuid} and day = ${day} and id = ${id}`.execute(db.sql)
    await deleteBatches(db, [batch])
  })
}

/** Deletes batches that ClickHouse has. */
async function deleteSent(db: Database, batches: readonly WaitingBatch[]): Promise<void> {
  if (batches.length === 0) return
  await db.write(async () => {
    await rememberSent(db, batches)
    await deleteBatches(db, batches)
  })
}

/** Runs inside a write. */
async function deleteBatches(db: Database, batches: readonly WaitingBatch[]): Promise<void> {
  for (const { workspaceUuid, day, id } of batches)
    await db.sql
      .deleteFrom('click_batches')
      .where('workspace_uuid', '=', workspaceUuid)
      .where('day', '=', day)
      .where('id', '=', id)
      .execute()
}
