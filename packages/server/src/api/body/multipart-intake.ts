import { createHash, type Hash } from 'node:crypto'
import { BodyError } from './body-error.ts'
import type { BodyLimits } from './body-limits.ts'
import { ByteCollector } from './byte-collector.ts'
import { MultipartParser } from './multipart-parser.ts'
import type { PartHeader } from './part-header.ts'
import type { TempFile, TempFolder } from './temp-folder.ts'

export interface RawPart {
  name: string
  /** True size, whatever was kept. */
  size: number
  /** Undefined for a text part. */
  filename: string | undefined
  /** File parts: where the first `limits.fileBytes` bytes are; empty when there are none. */
  path: string
  /** Text parts: the first `limits.textBytes` bytes. */
  text: Buffer
  /** Text parts: nothing was kept any more, because the parts before had filled the memory allowed. */
  dropped: boolean
}

interface OpenPart {
  part: RawPart
  rawName: Buffer
  hash: Hash
  text: ByteCollector
  file: TempFile | undefined
  /** Bytes taken to be kept, in memory or on disk. */
  kept: number
}

/** Hashes every part as it arrives, keeps text in memory and files on disk, and makes the digest that is signed. */
export class MultipartIntake {
  readonly parts: RawPart[] = []
  readonly #parser: MultipartParser
  readonly #limits: BodyLimits
  readonly #folder: TempFolder
  readonly #digest = createHash('sha256')
  #textKept = 0
  #open: OpenPart | undefined

  constructor(boundary: string, limits: BodyLimits, folder: TempFolder) {
    this.#parser = new MultipartParser(boundary, limits.partHeaderBytes)
    this.#limits = limits
    this.#folder = folder
  }

  /** The promise, if there is one, is to be waited for before more is pushed: the disk is behind. */
  push(chunk: Buffer): Promise<void> | undefined {
    for (const event of this.#parser.push(chunk)) {
      if (event.type === 'part') this.#begin(event.header)
      else if (event.type === 'data') this.#take(event.bytes)
      else this.#end()
    }
    return this.#folder.pending()
  }

  /** The payload digest of a multipart body. */
  finish(): string {
    this.#parser.finish()
    return this.#digest.digest('hex')
  }

  #begin(header: PartHeader): void {
    if (this.parts.length === this.#limits.fields) {
      throw new BodyError('too_many_parts', `More than ${this.#limits.fields} parts`)
    }
    if (header.filename !== undefined && !this.#limits.files)
      throw new BodyError('unsupported_type', 'This request takes no files')
    const part: RawPart = {
      name: header.name,
      size: 0,
      filename: header.filename,
      path: '',
      text: Buffer.alloc(0),
      dropped: false,
    }
    this.parts.push(part)
    this.#open = {
      part,
      rawName: header.rawName,
      hash: createHash('sha256'),
      text: new ByteCollector(),
      file: undefined,
      kept: 0,
    }
  }

  #take(bytes: Buffer): void {
    const open = this.#open
    if (open === undefined) return
    open.hash.update(bytes)
    open.part.size += bytes.length
    if (open.part.filename === undefined) this.#keepText(open, bytes)
    else this.#keepFile(open, bytes)
  }

  #keepText(open: OpenPart, bytes: Buffer): void {
    const wanted = Math.min(bytes.length, this.#limits.textBytes - open.kept)
    if (this.#textKept + wanted > this.#limits.textTotalBytes) open.part.dropped = true
    if (wanted === 0 || open.part.dropped) return
    this.#folder.hold(wanted)
    open.text.push(bytes.subarray(0, wanted))
    open.kept += wanted
    this.#textKept += wanted
  }

  #keepFile(open: OpenPart, bytes: Buffer): void {
    const wanted = Math.min(bytes.length, this.#limits.fileBytes - open.kept)
    if (wanted === 0) return
    open.file ??= this.#folder.create()
    open.file.write(bytes.subarray(0, wanted))
    open.kept += wanted
  }

  #end(): void {
    const open = this.#open
    if (open === undefined) return
    open.part.text = open.text.bytes()
    open.file?.end()
    open.part.path = open.file?.path ?? ''
    this.#digest.update(open.rawName).update(`\n${open.hash.digest('hex')}\n`)
    this.#open = undefined
  }
}
