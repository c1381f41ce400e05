import type { ServerResponse } from 'node:http'

const MIB = 1024 * 1024

interface UnsentRules {
  /** For all responses of this process together. */
  readonly totalBytes: number
  /** For those to one address. */
  readonly shareBytes: number
}

/** Eight of the longest lists for one address, and as much again for each of three others. */
const RULES: UnsentRules = { totalBytes: 128 * MIB, shareBytes: 32 * MIB }
/** Shorter responses are not counted: those of one connection are 128 KiB together. */
export const COUNTED_BYTES = 4 * 1024

/**
 * One budget for responses that are in memory until their clients have read them. Without it a few hundred connections
 * that request lists and read nothing would fill the memory.
 */
export class UnsentBytes {
  readonly #rules: UnsentRules
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(rules: UnsentRules = RULES) {
    this.#rules = rules
  }

  /** Whether there is room for so many bytes more. A response beyond the limits fits if it is the only one. */
  hasRoom(address: string, bytes: number): boolean {
    const { totalBytes, shareBytes } = this.#rules
    const held = this.#held.get(address) ?? 0
    const isWithinShare = held === 0 || held + bytes <= shareBytes
    return isWithinShare && (this.#total === 0 || this.#total + bytes <= totalBytes)
  }

  /** Counts a response until it is sent, or its connection has ended. */
  hold(address: string, bytes: number, response: ServerResponse): void {
    this.#count(address, bytes)
    response.once('close', () => this.#count(address, -bytes))
  }

  #count(address: string, bytes: number): void {
    this.#total += bytes
    const held = (this.#held.get(address) ?? 0) + bytes
    if (held === 0) this.#held.delete(address)
    else this.#held.set(address, held)
  }
}
