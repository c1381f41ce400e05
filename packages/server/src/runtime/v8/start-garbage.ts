import { collectGarbage } from './collector.ts'

/**
 * Call this when a thread has started. Loading the modules leaves garbage that V8 would keep for as long as the thread
 * is idle: some ten megabytes (bench/v8.ts).
 */
export function releaseStartGarbage(): void {
  collectGarbage({ type: 'major', flavor: 'last-resort' })
}
