import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface Collection {
  readonly type: 'minor' | 'major'
}

let collect: ((collection: Collection) => void) | undefined

/** Requests a garbage collection of this thread, now. */
export function collectGarbage(collection: Collection): void {
  collect ??= exposeCollector()
  collect(collection)
}

function exposeCollector(): (collection: Collection) => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as (collection: Collection) => void
}
