const PARENT_CHECK_MS = 500

/**
 * Calls `stop` once: at the first SIGTERM, SIGINT or SIGHUP, or when the process that this one was started with has
 * ended (`--parent=PID`, which the launcher passes when npm started it). Later signals are ignored, because Ctrl-C
 * reaches the server twice: from the terminal and from npm.
 */
export function onStopRequest(stop: () => void): void {
  let isRequested = false
  const request = (): void => {
    if (isRequested) return
    isRequested = true
    stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, request)
  const parent = parentIn(process.argv)
  if (parent === undefined) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    request()
  }, PARENT_CHECK_MS)
  timer.unref()
}

function parentIn(words: readonly string[]): number | undefined {
  const pid = words.map((word) => /^--parent=(\d+)$/.exec(word)?.[1]).find((found) => found !== undefined)
  return pid === undefined ? undefined : Number(pid)
}
