import { BodyError } from './body-error.ts'

const MIB = 1024 * 1024

/** What one request takes of disk and memory while its body is not verified. */
export interface UploadShare {
  /** Counts bytes on the disk. Throws a `BodyError` (503) when the share or the budget is spent. */
  take(bytes: number): void
  /** The same for bytes in memory, for which it does not matter how full the disk is. */
  hold(bytes: number): void
  /** Gives everything back, once its files are removed. May be called again. */
  release(): void
}

export const UNLIMITED: UploadShare = { take: () => {}, hold: () => {}, release: () => {} }

interface UploadBudgetRules {
  /** For all uploads in progress together. */
  readonly totalBytes: number
  /** For those of one address, and for those that name one key. */
  readonly shareBytes: number
}

/** Eight of the largest bodies at once for each address and key, and as much again for all others. */
const RULES: UploadBudgetRules = { totalBytes: 768 * MIB, shareBytes: 384 * MIB }

/**
 * One budget for the bodies of all requests in progress. Anyone can send a body in the name of a known key, and slowly:
 * without a budget a few connections would fill the disk that clicks are written to, and many the memory.
 */
export class UploadBudget {
  readonly #rules: UploadBudgetRules
  readonly #hasRoomFor: (bytes: number) => boolean
  readonly #used = new Map<string, number>()
  #total = 0

  constructor(rules: UploadBudgetRules = RULES, hasRoomFor: (bytes: number) => boolean = () => true) {
    this.#rules = rules
    this.#hasRoomFor = hasRoomFor
  }

  /** The share of one request, which counts against each of the names given. */
  shareOf(names: readonly string[]): UploadShare {
    let taken = 0
    const hold = (bytes: number): void => {
      const { totalBytes, shareBytes } = this.#rules
      const isOver = names.some((name) => (this.#used.get(name) ?? 0) + bytes > shareBytes)
      if (isOver || this.#total + bytes > totalBytes)
        throw new BodyError('no_room', 'Too many uploads are in progress; try again shortly')
      taken += bytes
      this.#count(names, bytes)
    }
    return {
      hold,
      take: (bytes) => {
        // What was taken before is in files already, and so no longer free.
        if (!this.#hasRoomFor(bytes))
          throw new BodyError('no_room', 'The disk is nearly full; try again later')
        hold(bytes)
      },
      release: () => {
        this.#count(names, -taken)
        taken = 0
      },
    }
  }

  #count(names: readonly string[], bytes: number): void {
    this.#total += bytes
    for (const name of names) {
      const used = (this.#used.get(name) ?? 0) + bytes
      if (used === 0) this.#used.delete(name)
      else this.#used.set(name, used)
    }
  }
}
