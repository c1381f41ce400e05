import { collectGarbage } from './collector.ts'

const EVERY_BYTES = 8 * 1024 * 1024

let spent = 0

/**
 * Call this for all bytes of a body that have been read. They are outside the heap, where V8 lets some hundred
 * megabytes accumulate before it collects garbage; so a collection is requested, which takes a millisecond.
 */
export function spend(bytes: number): void {
  spent += bytes
  if (spent < EVERY_BYTES) return
  spent = 0
  collectGarbage({ type: 'minor' })
}
