import { performance } from 'node:perf_hooks'
import { collectGarbage } from './collector.ts'

const CHECK_MS = 10_000
/** The share of its time that an idle thread works at most. */
const IDLE = 0.05

/**
 * Call this when a thread starts. Loading the modules leaves garbage that V8 would keep for as long as the thread is
 * idle: some ten megabytes (bench/v8.ts). Collecting all of it takes a tenth of a second, so it happens once, in the
 * first ten seconds in which the thread has had nothing to do.
 */
export function releaseStartGarbage(): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > IDLE) return
    clearInterval(timer)
    collectGarbage({ type: 'major', flavor: 'last-resort' })
  }, CHECK_MS)
  timer.unref()
}
