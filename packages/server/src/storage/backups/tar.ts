import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'

const BLOCK = 512
const CHUNK = 256 * 1024
const MAX_OCTAL = 0o77777777777

/** One file of an archive. */
export interface TarEntry {
  readonly name: string
  readonly size: number
  /** Reads its content; reading is optional. */
  read(): AsyncGenerator<Buffer>
}

export class BrokenArchiveError extends Error {
  override readonly name = 'BrokenArchiveError'
}

/** One file of an archive as bytes: header, content, and zeros up to the end of the block. */
export function tarFile(name: string, bytes: Buffer, mtimeMs: number): Buffer {
  const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)
  return Buffer.concat([header(name, bytes.length, mtimeMs), bytes, padding])
}

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** Writes an archive that every tar program can read: plain files with short names, readable only by their owner. */
export class TarWriter {
  readonly #file: FileHandle
  readonly #mtimeMs: number

  constructor(file: FileHandle, mtimeMs: number) {
    this.#file = file
    this.#mtimeMs = mtimeMs
  }

  async addBytes(name: string, bytes: Buffer): Promise<void> {
    await this.#write(header(name, bytes.length, this.#mtimeMs))
    await this.#write(bytes)
    await this.#pad(bytes.length)
  }

  /** `seen` is called with every chunk, to compute a checksum. */
  async addFile(name: string, path: string, seen: (chunk: Buffer) => void = () => {}): Promise<number> {
    const source = await open(path, 'r')
    try {
      const { size } = await source.stat()
      await this.#write(header(name, size, this.#mtimeMs))
      for await (const chunk of readRange(source, 0, size)) {
        seen(chunk)
        await this.#write(chunk)
      }
      await this.#pad(size)
      return size
    } finally {
      await source.close()
    }
  }

  async end(): Promise<void> {
    await this.#write(TAR_END)
  }

  async #pad(size: number): Promise<void> {
    const rest = size % BLOCK
    if (rest !== 0) await this.#write(Buffer.alloc(BLOCK - rest))
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length;) done += (await this.#file.write(bytes, done)).bytesWritten
  }
}

/** The files of an archive, in order. */
export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry> {
  for (let at = 0; ;) {
    const block = await readBlock(file, at)
    if (block.every((byte) => byte === 0)) return
    const { name, size } = parseHeader(block)
    const from = at + BLOCK
    yield { name, size, read: () => readRange(file, from, size) }
    at = from + Math.ceil(size / BLOCK) * BLOCK
  }
}

async function readBlock(file: FileHandle, at: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of readRange(file, at, BLOCK)) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

async function* readRange(file: FileHandle, from: number, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(size, 1)))
  for (let done = 0; done < size;) {
    const wanted = Math.min(buffer.length, size - done)
    const { bytesRead } = await file.read(buffer, 0, wanted, from + done)
    if (bytesRead === 0) throw new BrokenArchiveError('The archive is truncated')
    yield buffer.subarray(0, bytesRead)
    done += bytesRead
  }
}

function header(name: string, size: number, mtimeMs: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for an archive`)
  block.write(name, 0)
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  writeSize(block, size)
  block.write(`${octal(Math.floor(mtimeMs / 1000), 11)}\0`, 136)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  block.write(`${octal(sumOf(block), 6)}\0 `, 148)
  return block
}

/** The octal field is limited to 8 GiB; larger sizes use the binary form of GNU tar. */
function writeSize(block: Buffer, size: number): void {
  if (size <= MAX_OCTAL) {
    block.write(`${octal(size, 11)}\0`, 124)
    return
  }
  block[124] = 0x80
  block.writeBigUInt64BE(BigInt(size), 128)
}

function parseHeader(block: Buffer): { name: string; size: number } {
  const text = (from: number, to: number): string =>
    block.toString('utf8', from, to).split('\0', 1).join('').trim()
  if (Number.parseInt(text(148, 156), 8) !== sumOf(block))
    throw new BrokenArchiveError('This is not a tar archive')
  const isBinary = ((block[124] ?? 0) & 0x80) !== 0
  const size = isBinary ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(124, 136), 8)
  const type = block[156]
  if (!Number.isSafeInteger(size) || (type !== 0x30 && type !== 0))
    throw new BrokenArchiveError('The archive contains an entry that is not a plain file')
  return { name: text(0, 100), size }
}

/** The checksum of a header treats its own field as spaces. */
function sumOf(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}
