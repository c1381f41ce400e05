import { closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS, dayOf } from '../../work/times.ts'
import { FILE_HEADER } from '../spool/record.ts'
import { listLocks, listSpoolFiles, type OwnerLock, type SpoolFile, tryLock } from '../spool/spool-folder.ts'
import { ClickReader, type ReadClicks } from './click-reader.ts'
import type { ClickBatch, ClickStore, OpenDay, Written } from './click-store.ts'
import { SmallBatches } from '../batches/merging.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import { isDataFault, isFileFault, reasonOf, writeDivided } from './set-aside.ts'

export interface IngestDeps {
  readonly folder: string
  /** The spool of this process; other spools are read only after their writers have died. */
  readonly owner: string
  readonly store: ClickStore
  readonly countryOf: (address: string) => string
  readonly now: () => number
  /** Called when something was set aside or is damaged. */
  readonly onOddity: (text: string) => void
  readonly batchClicks?: number
  /** False: batches are sent to ClickHouse, which identifies them by id. */
  readonly merges?: boolean
  /** Called with every counted batch. */
  readonly onCounted?: (clicks: readonly StoredClick[], owners: Written['owners']) => void
}

export interface IngestCounts {
  counted: number
  /** Clicks of links that were deleted before they were counted. */
  dropped: number
  damagedBytes: number
  /** Clicks, batches and spool files that could not be stored or read. */
  setAside: number
  backlogBytes: number
}

const ADOPT_EVERY_MS = 2_000

/** A file that fails this often in a row is set aside. */
const MAX_FAILURES = 10
/** If more days than this cannot be merged, the cause is not the data of single days. */
const MAX_UNCLOSED = 100

/** `full`: more can be read immediately. `some`: wait a moment, then read a larger batch. */
export type Progress = 'none' | 'some' | 'full'

interface Reading {
  readonly file: SpoolFile
  readonly fd: number
  position: number
}

/** Moves clicks from the spool into the database, each exactly once, even when interrupted. */
export class Ingest {
  readonly counts: IngestCounts = { counted: 0, dropped: 0, damagedBytes: 0, setAside: 0, backlogBytes: 0 }
  readonly #deps: IngestDeps
  readonly #batchClicks: number
  readonly #readings = new Map<string, Reading>()
  readonly #adopted = new Map<string, OwnerLock>()
  readonly #reader: ClickReader
  readonly #small = new SmallBatches()
  /** Consecutive failures to read or store each file. */
  readonly #failures = new Map<string, number>()
  #unclosed: OpenDay[] = []
  #adoptAtMs = 0

  constructor(deps: IngestDeps) {
    this.#deps = deps
    this.#batchClicks = deps.batchClicks ?? Infinity
    this.#reader = new ClickReader({
      countryOf: deps.countryOf,
      salt: (day) => deps.store.salt(day),
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
      const isLast = !mine.some((next) => next.owner === file.owner && next.sequence > file.sequence)
      // A file with a newer one of the same owner, or of a dead writer, does not grow any more.
      const complete = !isLast || file.owner !== owner
      try {
        const reading = await this.#reading(file)
        if (reading === undefined) continue
        progress = further(progress, await this.#readBatch(reading, complete))
        this.#failures.delete(file.name)
        if (this.#readings.has(file.name)) backlogBytes += fstatSync(reading.fd).size - reading.position
      } catch (error) {
        this.#noteFailure(file, complete, error)
      }
    }
    this.counts.backlogBytes = backlogBytes
    this.#releaseFinished()
    return progress
  }

  /** Reads everything that this process has spooled. Call after its spool was closed. */
  async drain(): Promise<void> {
    while ((await this.step()) !== 'none');
  }

  /**
   * Merges the batches of one past day; returns whether there is more to merge. A day that fails is tried again in the next
   * round and does not block others.
   */
  async mergeDays(): Promise<boolean> {
    const { store, now } = this.#deps
    const openDay = await store.oldestOpenDay(dayOf(now()) - DAY_MS, this.#unclosed)
    if (openDay === undefined) {
      this.#unclosed = []
      return false
    }
    try {
      await this.#merge(openDay, true)
    } catch (error) {
      this.#unclosed.push(openDay)
      if (this.#unclosed.length === 1)
        this.#deps.onOddity(
          `Batches of a day could not be merged and are tried again later: ${reasonOf(error)}`,
        )
      if (this.#unclosed.length < MAX_UNCLOSED) return true
      this.#unclosed = []
      throw error
    }
    return true
  }

  /** If batches cannot be merged together, merges them one by one and sets the unreadable ones aside. */
  async #merge(openDay: OpenDay, closing: boolean): Promise<void> {
    const { store, onOddity } = this.#deps
    try {
      await store.merge(openDay, closing)
    } catch (fault) {
      if (!isDataFault(fault)) throw fault
      for (const id of await store.openBatches(openDay)) {
        try {
          await store.merge(openDay, closing, id)
        } catch (error) {
          if (!isDataFault(error)) throw error
          await store.setAside(openDay, id, reasonOf(error))
          this.counts.setAside++
          onOddity(`The batch ${id} of clicks cannot be read and was set aside: ${reasonOf(error)}`)
        }
      }
    }
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

  /** Takes over the files of dead processes, whose locks are free, at the position where they stopped. */
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
    const read = await this.#reader.readClicks(reading.fd, start, this.#mostClicks)
    const { to, full, ended, damagedBytes, restBytes } = read
    if (to > start && !(await this.#write(reading, from, read))) return 'some'
    this.#noteDamage(reading.file, damagedBytes)
    if (ended || (complete && to === start)) {
      this.#noteDamage(reading.file, ended ? 0 : restBytes)
      await this.#finish(reading)
    }
    if (to === start) return 'none'
    return full ? 'full' : 'some'
  }

  async #write(reading: Reading, from: number, { clicks, to }: ReadClicks): Promise<boolean> {
    const written = await this.#writeBatch({ file: reading.file.name, from, to, clicks })
    if (written === undefined) {
      // Another reader has counted this part: continue at its position.
      this.#stopReading(reading)
      return false
    }
    reading.position = to
    this.counts.counted += written.counted
    this.counts.dropped += written.dropped
    this.#deps.onCounted?.(clicks, written.owners)
    if (this.#deps.merges === false) return true
    // They are merged at the end of the day at the latest.
    for (const openDay of this.#small.dueAfter(written.batches))
      await this.#merge(openDay, false).catch(() => undefined)
    return true
  }

  async #writeBatch(batch: ClickBatch): Promise<Written | undefined> {
    const { store, onOddity } = this.#deps
    try {
      return await store.write(batch)
    } catch (fault) {
      if (!isDataFault(fault)) throw fault
      const { setAside, written } = await writeDivided(store, batch, fault)
      if (written === undefined) return undefined
      this.counts.setAside += setAside
      onOddity(
        `${setAside} clicks of ${batch.file} could not be stored and were set aside: ${reasonOf(fault)}`,
      )
      return written
    }
  }

  /** Where the frames begin; `undefined` if the file cannot be read now or has another version. */
  async #readHeader(reading: Reading, complete: boolean): Promise<number | undefined> {
    const header = this.#reader.read(reading.fd, 0).subarray(0, FILE_HEADER.length)
    if (header.equals(FILE_HEADER)) return FILE_HEADER.length
    if (header.length < FILE_HEADER.length) {
      if (complete) await this.#finish(reading)
      return undefined
    }
    this.#setAside(reading.file, 'is of another version')
    return undefined
  }

  /** One faulty file must not block others. All other failures concern every file. */
  #noteFailure(file: SpoolFile, complete: boolean, error: unknown): void {
    if (!isDataFault(error) && !isFileFault(error)) throw error
    const failures = (this.#failures.get(file.name) ?? 0) + 1
    this.#failures.set(file.name, failures)
    if (failures < MAX_FAILURES) return
    const reason = `cannot be read (${reasonOf(error)})`
    // This process still writes to the file unless it is complete.
    if (complete) this.#setAside(file, reason)
    else if (failures === MAX_FAILURES)
      this.#deps.onOddity(`The spool file ${file.name} ${reason} and is tried again`)
  }

  #setAside({ name }: SpoolFile, reason: string): void {
    const reading = this.#readings.get(name)
    if (reading !== undefined) this.#stopReading(reading)
    this.#failures.delete(name)
    const { folder, onOddity } = this.#deps
    renameSync(join(folder, name), join(folder, `${name}.unreadable`))
    this.counts.setAside++
    onOddity(`The spool file ${name} ${reason} and was set aside as ${name}.unreadable`)
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
