import { crc32 } from 'node:zlib'

const LOCAL_HEADER = 0x04034b50
const CENTRAL_HEADER = 0x02014b50
const END = 0x06054b50
const VERSION = 20
/** Names are UTF-8. */
const FLAGS = 0x0800

/**
 * Writes a ZIP archive file by file. Files are stored uncompressed, because PNG is compressed already and SVG files are
 * small.
 */
export class ZipWriter {
  readonly #central: Buffer[] = []
  readonly #stamp: number
  #at = 0

  constructor(nowMs: number) {
    const time = new Date(nowMs)
    const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
    const second = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
    this.#stamp = ((day << 16) | second) >>> 0
  }

  /** The bytes of a file with its header. */
  file(name: string, bytes: Uint8Array): Buffer {
    const path = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(VERSION, 0)
    facts.writeUInt16LE(FLAGS, 2)
    facts.writeUInt32LE(this.#stamp, 6)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(path.length, 22)
    const whole = Buffer.concat([signature(LOCAL_HEADER), facts, path, bytes])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(this.#at, 10)
    this.#central.push(Buffer.concat([signature(CENTRAL_HEADER), versionMade, facts, place, path]))
    this.#at += whole.length
    return whole
  }

  /** The central directory at the end of an archive. */
  end(): Buffer {
    const directory = Buffer.concat(this.#central)
    const end = Buffer.alloc(18)
    end.writeUInt16LE(this.#central.length, 4)
    end.writeUInt16LE(this.#central.length, 6)
    end.writeUInt32LE(directory.length, 8)
    end.writeUInt32LE(this.#at, 12)
    return Buffer.concat([directory, signature(END), end])
  }
}

const versionMade = Buffer.from([VERSION, 0])

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
