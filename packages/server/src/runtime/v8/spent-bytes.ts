import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'minor' }) => void

const EVERY_BYTES = 8 * 1024 * 1024

let spent = 0
let collect: Collect | undefined

/**
 * To be told of every byte of a body that has been read. The bytes of bodies lie outside the heap, where the engine
 * lets some hundred megabytes of them gather before it looks; so it is made to look, which takes a millisecond.
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
