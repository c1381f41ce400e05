import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { BodyFault } from './body-fault.ts'
import type { BodyLimits } from './body-limits.ts'
import { ByteCollector } from './byte-collector.ts'
import { MultipartParser } from './multipart-parser.ts'
import type { PartHeader } from './part-header.ts'
import type { TempFolder } from './temp-folder.ts'

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

  async push(chunk: Buffer): Promise<void> {
    for (const event of this.#parser.push(chunk)) {
      if (event.type === 'part') this.#begin(event.header)
      else if (event.type === 'data') await this.#write(event.bytes)
      else await this.#end()
    }
  }

  /** The payload digest of a multipart body. */
  finish(): string {
    this.#parser.finish()
    return this.#digest.digest('hex')
  }

  /** To be called however it ended. */
  async close(): Promise<void> {
    await this.#open?.file?.close()
    this.#open = undefined
  }

  #begin(header: PartHeader): void {
    if (this.parts.length === this.#limits.fields) {
      throw new BodyFault('too_many_parts', `More than ${this.#limits.fields} parts`)
    }
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
      file: undefined,
      text: new ByteCollector(),
      kept: 0,
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    const open = this.#open
    if (open === undefined) return
    open.hash.update(bytes)
    open.part.size += bytes.length
    if (open.part.filename === undefined) this.#keepText(open, bytes)
    else await this.#keepFile(open, bytes)
  }

  #keepText(open: OpenPart, bytes: Buffer): void {
    const wanted = Math.min(bytes.length, this.#limits.textBytes - open.kept)
    if (this.#textKept + wanted > this.#limits.textTotalBytes) open.part.dropped = true
    if (wanted === 0 || open.part.dropped) return
    open.text.push(bytes.subarray(0, wanted))
    open.kept += wanted
    this.#textKept += wanted
  }

  async #keepFile(open: OpenPart, bytes: Buffer): Promise<void> {
    const wanted = bytes.subarray(0, Math.max(0, this.#limits.fileBytes - open.kept))
    if (wanted.length === 0) return
    if (open.file === undefined) {
      const created = await this.#folder.create()
      open.file = created.handle
      open.part.path = created.path
    }
    await open.file.writeFile(wanted)
    open.kept += wanted.length
  }

  async #end(): Promise<void> {
    const open = this.#open
    if (open === undefined) return
    open.part.text = open.text.bytes()
    this.#digest.update(open.rawName).update(`\n${open.hash.digest('hex')}\n`)
    await this.close()
  }
}

interface OpenPart {
  part: RawPart
  rawName: Buffer
  hash: Hash
  file: FileHandle | undefined
  text: ByteCollector
  kept: number
}
