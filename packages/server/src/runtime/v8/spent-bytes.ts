import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'minor' }) => void

const EVERY_BYTES = 8 * 1024 * 1024

let spent = 0
let collect: Collect | undefined

/**
 * Call this for all bytes of a body that have been read. They are outside the heap, where V8 lets some hundred
 * megabytes accumulate before it collects garbage; so a collection is requested, which takes a millisecond.
 */
export function spend(bytes: number): void {
  spent += bytes
  if (spent < EVERY_BYTES) return
  spent = 0
  collect ??= exposeCollector()
  collect({ type: 'minor' })
}

function exposeCollector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
