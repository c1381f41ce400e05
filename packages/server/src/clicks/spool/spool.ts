import {
  chmodSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
  fdatasync,
  fdatasyncSync,
} from 'node:fs'
import { join } from 'node:path'
import { encodeClick, END_FRAME, FILE_HEADER, FRAME_HEADER_BYTES, sealFrame, type Click } from './record.ts'
import { spoolFileName, tryLock, type OwnerLock } from './spool-folder.ts'

export interface SpoolOptions {
  readonly folder: string
  /** A uuid of this process; file names begin with it. */
  readonly owner: string
  /** Called when a fault begins, at most once a minute while it lasts, and with `undefined` when it is over. */
  readonly onFault?: (fault: Error | undefined, lostClicks: number) => void
  readonly rotateBytes?: number
  /** Files are closed after this time, so that addresses stay on disk for only seconds. */
  readonly rotateMs?: number
  /** Bytes held in memory while the disk cannot be written; clicks beyond that are dropped and counted as lost. */
  readonly heldBytes?: number
  /** Visitors wait until their clicks are flushed to disk, where they survive a power cut. */
  readonly sync?: boolean
  readonly write?: (fd: number, bytes: Buffer, length: number, position: number) => number
}

export interface SpoolStatus {
  readonly ok: boolean
  readonly fault: string | null
  /** Clicks written since the start, waiting in memory, and lost. */
  readonly writtenClicks: number
  readonly heldClicks: number
  readonly lostClicks: number
}

const RETRY_MS = 250
const REPORT_MS = 60_000
const START_BUFFER_BYTES = 256 * 1024

/**
 * The append-only file of this process. The clicks of one turn of the event loop become one frame and one write. Responses are
 * sent after that, so a click that a visitor has seen answered survives a killed process.
 */
export class Spool {
  readonly owner: string
  readonly #options: SpoolOptions
  readonly #write: NonNullable<SpoolOptions['write']>
  readonly #rotateBytes: number
  readonly #heldBytes: number
  readonly #rotation: NodeJS.Timeout
  readonly #syncs: FileSyncs | undefined
  #lock: OwnerLock | undefined
  #buffer = Buffer.allocUnsafeSlow(START_BUFFER_BYTES)
  #records = ''
  #count = 0
  #scheduled = false
  #afterWrite: (() => void)[] = []
  #file: { fd: number; bytes: number } | undefined
  #sequence = 0
  #writtenClicks = 0
  #lostClicks = 0
  #fault: Error | undefined
  #retryAtMs = 0
  #reportAtMs = 0
  #reported = false

  constructor(options: SpoolOptions) {
    this.owner = options.owner
    this.#options = options
    this.#write =
      options.write ?? ((fd, bytes, length, position) => writeSync(fd, bytes, 0, length, position))
    this.#rotateBytes = options.rotateBytes ?? 16 * 1024 * 1024
    this.#heldBytes = options.heldBytes ?? 4 * 1024 * 1024
    if (options.sync === true) this.#syncs = new FileSyncs((error) => this.#failed(error))
    this.#rotation = setInterval(() => this.#tick(), options.rotateMs ?? 3_000).unref()
  }

  /** Adds the click to this turn's write. */
  append(click: Click): void {
    if (this.#records.length > this.#heldBytes) {
      this.#lostClicks++
    } else {
      this.#records += encodeClick(click)
      this.#count++
    }
    this.#schedule()
  }

  /** Runs `effect` after the clicks of this turn are written or writing has failed. */
  afterWrite(effect: () => void): void {
    this.#afterWrite.push(effect)
    this.#schedule()
  }

  status(): SpoolStatus {
    return {
      ok: this.#fault === undefined,
      fault: this.#fault?.message ?? null,
      writtenClicks: this.#writtenClicks,
      heldClicks: this.#count,
      lostClicks: this.#lostClicks,
    }
  }

  /** Writes the waiting clicks and closes the file; the owner's lock stays until `release`. */
  close(): void {
    clearInterval(this.#rotation)
    this.#retryAtMs = 0
    this.#flush()
    this.#rotate()
  }

  /** Call when the reader is done with this process's files; another process adopts those that are left. */
  release(): void {
    this.#lock?.release()
    this.#lock = undefined
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    // Runs in the check phase, after all requests of this turn's poll phase.
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    if (this.#count > 0 && performance.now() >= this.#retryAtMs) this.#writeFrame()
    const effects = this.#afterWrite
    if (effects.length === 0) return
    this.#afterWrite = []
    if (this.#syncs !== undefined && this.#file !== undefined && this.#fault === undefined)
      this.#syncs.after(this.#file.fd, effects)
    else for (const effect of effects) effect()
  }

  #writeFrame(): void {
    try {
      this.#put(this.#seal())
    } catch (error) {
      this.#failed(error instanceof Error ? error : new Error(String(error)))
      return
    }
    this.#writtenClicks += this.#count
    this.#records = ''
    this.#count = 0
    if (this.#fault !== undefined) this.#recovered()
  }

  #seal(): number {
    const payloadBytes = this.#records.length
    const frameBytes = FRAME_HEADER_BYTES + payloadBytes
    if (this.#buffer.length < frameBytes) this.#buffer = Buffer.allocUnsafeSlow(frameBytes * 2)
    this.#buffer.write(this.#records, FRAME_HEADER_BYTES, 'latin1')
    sealFrame(this.#buffer, payloadBytes)
    return frameBytes
  }

  #put(frameBytes: number): void {
    const file = (this.#file ??= this.#open())
    // At a position instead of appending: after a failed write the next one overwrites the partial frame.
    this.#writeWhole(file.fd, this.#buffer, frameBytes, file.bytes)
    file.bytes += frameBytes
    if (file.bytes >= this.#rotateBytes) this.#rotate()
  }

  #writeWhole(fd: number, bytes: Buffer, length: number, position: number): void {
    const written = this.#write(fd, bytes, length, position)
    if (written !== length) throw new Error(`Only ${written} of ${length} bytes were written to the disk`)
  }

  #open(): { fd: number; bytes: number } {
    const { folder } = this.#options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (this.#lock === undefined) chmodSync(folder, 0o700)
    // Before the first file: a reader that finds the file must find its lock taken.
    this.#lock ??= tryLock(folder, this.owner)
    if (this.#lock === undefined) throw new Error('Another process writes under the same spool name')
    const path = join(folder, spoolFileName(this.owner, ++this.#sequence))
    const fd = openSync(path, 'wx', 0o600)
    try {
      this.#writeWhole(fd, FILE_HEADER, FILE_HEADER.length, 0)
    } catch (error) {
      closeSync(fd)
      rmSync(path, { force: true })
      throw error
    }
    if (this.#syncs !== undefined) syncFolder(folder)
    return { fd, bytes: FILE_HEADER.length }
  }

  #rotate(): void {
    if (this.#file === undefined) return
    const { fd, bytes } = this.#file
    this.#file = undefined
    try {
      // Allows the reader to delete the file immediately. Otherwise it waits for the next file or the end of this process.
      this.#write(fd, END_FRAME, END_FRAME.length, bytes)
    } catch {
      // A full disk has been reported by writing the clicks.
    }
    if (this.#syncs === undefined) closeSync(fd)
    else this.#syncs.close(fd)
  }

  #tick(): void {
    if (this.#count > 0) this.#schedule()
    else this.#rotate()
    if (this.#fault !== undefined) this.#report()
  }

  #failed(fault: Error): void {
    this.#fault = fault
    this.#retryAtMs = performance.now() + RETRY_MS
    this.#discardRemains()
    this.#report()
  }

  /** Truncates a partial frame, because a shorter frame written over it would leave its tail. */
  #discardRemains(): void {
    if (this.#file === undefined) return
    try {
      ftruncateSync(this.#file.fd, this.#file.bytes)
    } catch {
      this.#rotate()
    }
  }

  #report(): void {
    if (performance.now() < this.#reportAtMs) return
    this.#reportAtMs = performance.now() + REPORT_MS
    this.#reported = true
    this.#options.onFault?.(this.#fault, this.#lostClicks)
  }

  #recovered(): void {
    this.#fault = undefined
    // A fault that comes and goes is logged at most once a minute too, and so is its end.
    if (!this.#reported) return
    this.#reported = false
    this.#options.onFault?.(undefined, this.#lostClicks)
  }
}

/** A file survives a power cut only if its folder entry is flushed, too. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Delays effects until the writes before them are flushed to disk. One flush serves all effects that arrived during the
 * previous one, and the event loop is not blocked.
 */
export class FileSyncs {
  readonly #flushFile: typeof fdatasync
  readonly #onFault: (error: Error) => void
  #waiting: (() => void)[] = []
  #running = false
  #closeAfter: number[] = []
  /** The file whose bytes the waiting effects need. */
  #fd = -1

  constructor(onFault: (error: Error) => void, flushFile: typeof fdatasync = fdatasync) {
    this.#flushFile = flushFile
    this.#onFault = onFault
  }

  /** Runs the effects once everything written to the file so far is on disk, or the disk has failed. */
  after(fd: number, effects: readonly (() => void)[]): void {
    for (const effect of effects) this.#waiting.push(effect)
    this.#fd = fd
    if (!this.#running) this.#flush()
  }

  /** Flushes and closes the file. */
  close(fd: number): void {
    try {
      fdatasyncSync(fd)
    } catch (error) {
      this.#onFault(error as Error)
    }
    this.#runWaiting()
    // The descriptor must not be reused while a flush of this file is running.
    if (this.#running) this.#closeAfter.push(fd)
    else closeSync(fd)
  }

  #flush(): void {
    const effects = this.#waiting
    this.#waiting = []
    this.#running = true
    this.#flushFile(this.#fd, (error) => {
      this.#running = false
      if (error !== null) this.#onFault(error)
      for (const effect of effects) effect()
      for (const closed of this.#closeAfter.splice(0)) closeSync(closed)
      if (this.#waiting.length > 0 && !this.#running) this.#flush()
    })
  }

  #runWaiting(): void {
    const effects = this.#waiting
    this.#waiting = []
    for (const effect of effects) effect()
  }
}
