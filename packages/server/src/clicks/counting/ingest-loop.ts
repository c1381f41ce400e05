import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { SignatureLog } from '../../net/replay/signature-log.ts'
import type { ClickStore } from './click-store.ts'
import { openCountries } from '../attributes/countries.ts'
import { liveClicks } from '../live/live-click.ts'
import type { FromIngest, IngestSettings, ToIngest } from './ingest-host.ts'
import { Ingest } from './ingest.ts'

const RETRY_MS = 500
const STATUS_MS = 500
/** How often to look for batches of past days. */
const MERGE_EVERY_MS = 300_000
/** How often SQLite's write-ahead log is checkpointed. */
const EMPTY_LOGS_EVERY_MS = 250
const BUSY_CLICKS = 1_000
const BUSY_FACTOR = 2.5

const settings = workerData as IngestSettings
const send = (message: FromIngest): void => parentPort?.postMessage(message, [])
const wake = new AbortController()

let watched: ReadonlySet<string> = new Set()

function handle(message: ToIngest): void {
  if (message.type === 'drain') wake.abort()
  else watched = new Set(message.userUuids)
}

/** Handles messages that arrived during a batch. New listeners have not seen its clicks in the figures. */
function handleWaiting(): void {
  if (parentPort === null) return
  for (let waiting = receiveMessageOnPort(parentPort); waiting; waiting = receiveMessageOnPort(parentPort))
    handle(waiting.message as ToIngest)
}

parentPort?.on('message', handle)

const signatures = await openSignatures()

const ingest = new Ingest({
  folder: settings.folder,
  owner: settings.owner,
  store: await openStore(),
  countryOf: openCountries(),
  now: Date.now,
  merges: settings.merges,
  onOddity: (text) => send({ type: 'oddity', text }),
  onCounted: (clicks, owners) => {
    handleWaiting()
    for (const [userUuid, own] of liveClicks(clicks, owners, watched))
      send({ type: 'live', userUuid, clicks: own })
  },
})

let fault: string | null = null
let statusAtMs = 0
let mergeAtMs = 0
let emptyLogsAtMs = 0

await run()

async function run(): Promise<void> {
  while (!wake.signal.aborted) {
    const before = ingest.counts.counted
    const full = await step()
    report()
    if (!full && fault === null) await mergeDays()
    emptyLogs()
    if (!full) await pause(fault === null ? restMs(ingest.counts.counted - before) : RETRY_MS)
  }
  await drain()
  ingest.close()
  signatures?.close()
  send({ type: 'drained' })
  parentPort?.close()
}

/** Under load, count fewer but larger batches: they cost less and give other writers time in between. */
function restMs(clicks: number): number {
  return clicks < BUSY_CLICKS ? settings.pollMs : settings.pollMs * BUSY_FACTOR
}

/** The caller terminates the thread when its deadline has passed. */
async function drain(): Promise<void> {
  for (;;) {
    statusAtMs = 0
    try {
      await ingest.drain()
      fault = null
      report()
      return
    } catch (error) {
      fault = textOf(error)
      report()
      await delay(RETRY_MS)
    }
  }
}

/** Runs when idle; new clicks wait for at most one merge. */
async function mergeDays(): Promise<void> {
  if (!settings.merges || performance.now() < mergeAtMs) return
  try {
    if (!(await ingest.mergeDays())) mergeAtMs = performance.now() + MERGE_EVERY_MS
  } catch (error) {
    mergeAtMs = performance.now() + MERGE_EVERY_MS
    send({ type: 'oddity', text: `Batches of past days could not be merged: ${textOf(error)}` })
  }
}

function emptyLogs(): void {
  if (performance.now() < emptyLogsAtMs) return
  try {
    ingest.emptyLog()
    signatures?.empty()
  } catch {
    // The disk is full or fails: writes report that to their clients, and this is tried again.
  }
  emptyLogsAtMs = performance.now() + EMPTY_LOGS_EVERY_MS
}

/** Returns true if more can be read immediately. */
async function step(): Promise<boolean> {
  try {
    const progress = await ingest.step()
    fault = null
    return progress === 'full'
  } catch (error) {
    fault = textOf(error)
    return false
  }
}

function report(): void {
  if (performance.now() < statusAtMs) return
  statusAtMs = performance.now() + STATUS_MS
  send({ type: 'status', counts: { ...ingest.counts }, fault })
}

async function pause(ms: number): Promise<void> {
  await delay(ms, undefined, { signal: wake.signal }).catch(() => undefined)
}

/** Loads only the store that is used, to save memory. */
async function openStore(): Promise<ClickStore> {
  const { database } = settings
  if (database.engine === 'sqlite') return (await import('./sqlite-store.ts')).openSqliteStore(database.file)
  return (await import('./postgres-store.ts')).openPostgresStore(database.url, () => undefined)
}

async function openSignatures(): Promise<SignatureLog | undefined> {
  const { database } = settings
  if (database.engine !== 'sqlite') return undefined
  const { SignatureLog } = await import('../../net/replay/signature-log.ts')
  return new SignatureLog(dirname(database.file))
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
