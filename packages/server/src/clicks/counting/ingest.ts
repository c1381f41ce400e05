import { closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClickStore, Written } from './click-store.ts'
import { ClickReader, type ReadClicks } from './click-reader.ts'
import type { EnrichedClick } from './enrich.ts'
import { DAY_MS, dayOf } from '../../runtime/times.ts'
import { noPause, type Pause } from '../../runtime/v8/counting-pauses.ts'
import { FILE_HEADER } from '../spool/record.ts'
import { listLocks, listSpoolFiles, tryLock } from '../spool/spool-folder.ts'
import type { OwnerLock, SpoolFile } from '../spool/spool-folder.ts'

export interface IngestDeps {
  readonly folder: string
  /** The spool this process writes itself; others are read only once their writers are dead. */
  readonly owner: string
  readonly store: ClickStore
  readonly countryOf: (address: string) => string
  readonly now: () => number
  /** Something was set aside or damaged. */
  readonly onOddity: (text: string) => void
  readonly batchClicks?: number
  /** Called with every batch once it is counted. */
  readonly onCounted?: (clicks: readonly EnrichedClick[], owners: Written['owners']) => void
  /** Called in the middle of long work. */
  readonly pause?: Pause
}

export interface IngestCounts {
  counted: number
  /** Clicks of links that were removed before they could be counted. */
  dropped: number
  damagedBytes: number
  setAside: number
  backlogBytes: number
}

const ADOPT_EVERY_MS = 2_000
/** How often to look for totals that wait: those of a reader that is behind, and of one that was killed. */
const SETTLE_EVERY_MS = 5_000
/** Others that write get their turn in between. */
const SETTLE_REST_MS = 2
/** The totals of larger batches are added in pieces. */
const MOST_SETTLED_AT_ONCE = 2_000

/** `full`: there is more at once. `some`: what comes next is better read a moment later, in one larger batch. */
export type Progress = 'none' | 'some' | 'full'

interface Reading {
  readonly file: SpoolFile
  readonly fd: number
  position: number
  /** What follows the position, read while the batch before it was written. */
  ahead?: ReadClicks | undefined
}

/** Moves clicks from the spool into the database, each exactly once, however often it is interrupted. */
export class Ingest {
  readonly counts: IngestCounts = { counted: 0, dropped: 0, damagedBytes: 0, setAside: 0, backlogBytes: 0 }
  readonly #deps: IngestDeps
  readonly #batchClicks: number
  readonly #readings = new Map<string, Reading>()
  readonly #adopted = new Map<string, OwnerLock>()
  readonly #reader: ClickReader
  #adoptAtMs = 0
  #settleAtMs = performance.now() + SETTLE_EVERY_MS
  /** At first: those of a reader that was killed may. */
  #totalsWait = true

  constructor(deps: IngestDeps) {
    this.#deps = deps
    this.#batchClicks = deps.batchClicks ?? Infinity
    this.#reader = new ClickReader({
      countryOf: deps.countryOf,
      salt: (day) => deps.store.salt(day),
      pause: deps.pause ?? noPause,
    })
  }

  /** Reads one batch of each file. */
  async step(): Promise<Progress> {
    const { folder, owner } = this.#deps
    const files = listSpoolFiles(folder)
    this.#adopt(files)
    const mine = files.filter((file) => file.owner === owner || this.#adopted.has(file.owner))
    let progress: Progress = 'none'
    let backlogBytes = 0
    for (const file of mine) {
      const reading = await this.#reading(file)
      if (reading === undefined) continue
      const isLast = !mine.some((next) => next.owner === file.owner && next.sequence > file.sequence)
      // A file with a successor, or of a dead writer, will never grow again.
      const complete = !isLast || file.owner !== owner
      progress = further(progress, await this.#readBatch(reading, complete))
      if (this.#readings.has(file.name)) backlogBytes += fstatSync(reading.fd).size - reading.position
    }
    this.counts.backlogBytes = backlogBytes
    this.#releaseFinished()
    await this.#settle(progress)
    return progress
  }

  /** Everything this process has spooled, after its spool was closed. */
  async drain(): Promise<void> {
    while ((await this.step()) !== 'none');
  }

  /** Adds up clicks of days that are over, then of weeks; whether there is more of it. */
  async closeDays(): Promise<boolean> {
    const { store, now } = this.#deps
    return (await store.closeDays(dayOf(now()) - DAY_MS)) || store.sumWeek()
  }

  emptyLog(): void {
    this.#deps.store.emptyLog()
  }

  close(): void {
    for (const { fd } of this.#readings.values()) closeSync(fd)
    this.#readings.clear()
    for (const lock of this.#adopted.values()) lock.release()
    this.#adopted.clear()
  }

  /** Locks of dead processes are free. The reader that takes one first continues where they stopped. */
  #adopt(files: readonly SpoolFile[]): void {
    if (performance.now() < this.#adoptAtMs) return
    this.#adoptAtMs = performance.now() + ADOPT_EVERY_MS
    const { folder, owner } = this.#deps
    const owners = new Set([...files.map((file) => file.owner), ...listLocks(folder)])
    for (const other of owners) {
      if (other === owner || this.#adopted.has(other)) continue
      const lock = tryLock(folder, other)
      if (lock !== undefined) this.#adopted.set(other, lock)
    }
  }

  /** What waits is added as soon as the reader has caught up, and from time to time before. */
  async #settle(progress: Progress): Promise<void> {
    if (performance.now() < this.#settleAtMs && (progress === 'full' || !this.#totalsWait)) return
    while (await this.#deps.store.settle()) await delay(SETTLE_REST_MS)
    this.#totalsWait = false
    this.#settleAtMs = performance.now() + SETTLE_EVERY_MS
  }

  #releaseFinished(): void {
    if (this.#adopted.size === 0) return
    const left = new Set(listSpoolFiles(this.#deps.folder).map((file) => file.owner))
    for (const [owner, lock] of this.#adopted) {
      if (left.has(owner)) continue
      lock.release()
      this.#adopted.delete(owner)
    }
  }

  get #mostClicks(): number {
    return Math.min(this.#batchClicks, this.#deps.store.mostClicks)
  }

  async #reading(file: SpoolFile): Promise<Reading | undefined> {
    const known = this.#readings.get(file.name)
    if (known !== undefined) return known
    const { position, finished } = await this.#deps.store.position(file.name)
    if (finished) {
      rmSync(join(this.#deps.folder, file.name), { force: true })
      return undefined
    }
    const fd = openIfThere(join(this.#deps.folder, file.name))
    if (fd === undefined) return undefined
    const reading = { file, fd, position }
    this.#readings.set(file.name, reading)
    return reading
  }

  async #readBatch(reading: Reading, complete: boolean): Promise<Progress> {
    const from = reading.position
    const start = from === 0 ? await this.#readHeader(reading, complete) : from
    if (start === undefined) return 'none'
    const read = reading.ahead ?? (await this.#reader.readClicks(reading.fd, start, this.#mostClicks))
    const { to, full, ended, damagedBytes, restBytes } = read
    reading.ahead = undefined
    if (to > start && !(await this.#write(reading, from, read))) return 'some'
    this.#noteDamage(reading.file, damagedBytes)
    if (ended || (complete && to === start)) {
      this.#noteDamage(reading.file, ended ? 0 : restBytes)
      await this.#finish(reading)
    }
    if (to === start) return 'none'
    return full ? 'full' : 'some'
  }

  async #write(reading: Reading, from: number, read: ReadClicks): Promise<boolean> {
    const { clicks, to, full, ended } = read
    const totalsWait = (full && !ended) || clicks.length > MOST_SETTLED_AT_ONCE
    this.#totalsWait ||= totalsWait
    const writing = this.#deps.store.write({ file: reading.file.name, from, to, clicks, totalsWait })
    const ahead = this.#readAhead(reading, read)
    let written: Written | undefined
    try {
      written = await writing
    } finally {
      // Two readings of one file must not overlap.
      await ahead
    }
    if (written === undefined) {
      // Another reader has been here. Its position is the truth.
      this.#stopReading(reading)
      return false
    }
    reading.position = to
    this.counts.counted += written.counted
    this.counts.dropped += written.dropped
    this.#deps.onCounted?.(clicks, written.owners)
    const next = await ahead
    // What had nothing in it is read again: more may have been written since.
    if (next !== undefined && next.to > to) reading.ahead = next
    return true
  }

  /** While another process writes the batch, this one can read the next. */
  async #readAhead({ fd }: Reading, { to, full, ended }: ReadClicks): Promise<ReadClicks | undefined> {
    if (!this.#deps.store.writesElsewhere || !full || ended) return undefined
    // What cannot be read now is read again in its turn, and fails there.
    return this.#reader.readClicks(fd, to, this.#mostClicks).catch(() => undefined)
  }

  /** Where the frames begin; `undefined` if the file is not to be read now, or not by this version. */
  async #readHeader(reading: Reading, complete: boolean): Promise<number | undefined> {
    const header = this.#reader.read(reading.fd, 0).subarray(0, FILE_HEADER.length)
    if (header.equals(FILE_HEADER)) return FILE_HEADER.length
    if (header.length < FILE_HEADER.length) {
      if (complete) await this.#finish(reading)
      return undefined
    }
    this.#setAside(reading)
    return undefined
  }

  #setAside(reading: Reading): void {
    this.#stopReading(reading)
    const { folder, onOddity } = this.#deps
    const { name } = reading.file
    renameSync(join(folder, name), join(folder, `${name}.unreadable`))
    this.counts.setAside++
    onOddity(`The spool file ${name} is of another version and was set aside as ${name}.unreadable`)
  }

  async #finish(reading: Reading): Promise<void> {
    const { folder, store, now } = this.#deps
    await store.finish(reading.file.name, now())
    this.#stopReading(reading)
    rmSync(join(folder, reading.file.name), { force: true })
  }

  #stopReading(reading: Reading): void {
    closeSync(reading.fd)
    this.#readings.delete(reading.file.name)
  }

  #noteDamage(file: SpoolFile, bytes: number): void {
    if (bytes === 0) return
    this.counts.damagedBytes += bytes
    this.#deps.onOddity(`${bytes} bytes of the spool file ${file.name} made no sense and were left out`)
  }
}

function further(one: Progress, other: Progress): Progress {
  if (one === 'full' || other === 'full') return 'full'
  return one === 'some' || other === 'some' ? 'some' : 'none'
}

/** Another reader may have finished and deleted the file since the folder was listed. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
