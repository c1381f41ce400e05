interface TreeMetadata {
  readonly ipVersion: number
  readonly nodeCount: number
  readonly recordSize: number
}

const RECORD_BITS = 24
const NODE_BYTES = 6
/** IPv4 addresses stand in a tree of IPv6 addresses behind this many zeros. */
const ZERO_BITS = 96
const TOP_BITS = 16

/**
 * The tree of a MaxMind DB file, for IPv4 addresses that are numbers already: a fifth of what the library takes, which
 * splits the text of every address and starts at the top (bench/counting.ts).
 */
export class Ipv4Tree {
  readonly #bytes: Uint8Array
  readonly #nodeCount: number
  /** Where each beginning of 16 bits leads to: a node, or a record if all its addresses have the same. */
  readonly #tops = new Uint32Array(2 ** TOP_BITS)

  private constructor(bytes: Uint8Array, { ipVersion, nodeCount }: TreeMetadata) {
    this.#bytes = bytes
    this.#nodeCount = nodeCount
    const root = ipVersion === 4 ? 0 : this.#walk(0, 0, ZERO_BITS)
    for (let top = 0; top < this.#tops.length; top++)
      this.#tops[top] = this.#walk(root, top << (32 - TOP_BITS), TOP_BITS)
  }

  /** `undefined` for files with larger records, which only larger data needs. */
  static of(bytes: Uint8Array, metadata: TreeMetadata): Ipv4Tree | undefined {
    return metadata.recordSize === RECORD_BITS ? new Ipv4Tree(bytes, metadata) : undefined
  }

  /** The number of the address's record: the same for all addresses that share one. */
  recordOf(address: number): number {
    const top = this.#tops[address >>> (32 - TOP_BITS)]!
    return this.#walk(top, address << TOP_BITS, 32 - TOP_BITS)
  }

  /** Follows bits from the highest on, until a record is reached. */
  #walk(from: number, bits: number, count: number): number {
    let node = from
    for (let left = count, rest = bits; left > 0 && node < this.#nodeCount; left--, rest <<= 1) {
      const at = node * NODE_BYTES + (rest < 0 ? 3 : 0)
      node = (this.#bytes[at]! << 16) | (this.#bytes[at + 1]! << 8) | this.#bytes[at + 2]!
    }
    return node
  }
}
