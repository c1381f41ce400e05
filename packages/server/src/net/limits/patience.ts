/**
 * Waits for a response, up to a limit. A response that lies in the socket already counts, even if this process was
 * too busy to look: timers run before sockets are read, so the deadline looks once more after the reading.
 */
export function patiently<T>(answer: Promise<T>, limitMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => resolve(undefined)), limitMs)
    answer.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
