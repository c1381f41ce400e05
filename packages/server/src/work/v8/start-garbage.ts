import { performance } from 'node:perf_hooks'
import { collectGarbage } from './collector.ts'

const CHECK_MS = 10_000
/** Between the two parts. */
const PAUSE_MS = 500
/** The share of its time that an idle thread works at most. Ten visits a second are more than that. */
const IDLE = 0.02

/**
 * Call this when a thread starts. Loading the modules leaves garbage that V8 would keep for as long as the thread is
 * idle: some ten megabytes (bench/v8.ts). It is collected once, when the thread has had little to do for ten seconds, and in
 * two parts: each takes 40 ms, where one that collects everything at once takes 80 and returns no more.
 */
export function releaseStartGarbage(): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > IDLE) return
    clearInterval(timer)
    collectGarbage({ type: 'major' })
    setTimeout(() => collectGarbage({ type: 'major' }), PAUSE_MS).unref()
  }, CHECK_MS)
  timer.unref()
}
