import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import type { Waymark } from './waymark.ts'

const EVERY_MS = 50

export interface MemoryWatch {
  /** The most that was seen, in megabytes. */
  peak(): number
  stop(): void
}

/** Looks at the private memory of a server from outside, again and again. */
export function watchMemory(waymark: Waymark): MemoryWatch {
  let peak = 0
  const look = (): void => {
    // It may be starting over just now.
    void waymark.privateMegabytes().then(
      (megabytes) => (peak = Math.max(peak, megabytes)),
      () => {},
    )
  }
  const timer = setInterval(look, EVERY_MS)
  return { peak: () => peak, stop: () => clearInterval(timer) }
}

/**
 * Gives a server 1 GiB of memory, as our own compose files do: past that the kernel kills it. The page cache counts, too, but
 * the kernel drops that first. Where this user may not make a control group, the test runs without the limit.
 */
export function limitMemory(waymark: Waymark): void {
  const isFirstVersion = existsSync('/sys/fs/cgroup/memory')
  const parent = `/sys/fs/cgroup/${isFirstVersion ? 'memory/' : ''}`
  const group = `${parent}waymark-test-${waymark.pid}`
  try {
    for (const name of readdirSync(parent)) if (name.startsWith('waymark-test-')) removeEmpty(parent + name)
    mkdirSync(group)
    writeFileSync(`${group}/${isFirstVersion ? 'memory.limit_in_bytes' : 'memory.max'}`, String(2 ** 30))
    writeFileSync(`${group}/cgroup.procs`, String(waymark.pid))
  } catch {
    console.log('This user may not limit memory: the server runs without a limit')
  }
}

/** Groups of servers that have stopped; the kernel keeps those that are in use. */
function removeEmpty(group: string): void {
  try {
    rmdirSync(group)
  } catch {}
}
