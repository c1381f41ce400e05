import type { Server } from 'node:http'

/** For so long a request may still be on its way over a connection that looks idle. */
const GRACE_MS = 500
const CHECK_MS = 100

/**
 * Called when a stop begins. A client may send its next request before it knows of the stop, so idle connections stay
 * open for a moment: what arrives on them is answered, and the response closes the connection. The others are closed
 * again and again, because a client keeps its connection open after the last response.
 */
export function closeIdleLater(server: Server): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  // Fastify and node:http call this at the very start of their own close.
  server.closeIdleConnections = () => undefined
  // Timers run before sockets are read. By the next immediate, what had arrived is read and its connection not idle.
  const closeAfterReading = (): void => void setImmediate(closeIdle)
  setTimeout(() => {
    closeAfterReading()
    setInterval(closeAfterReading, CHECK_MS).unref()
  }, GRACE_MS).unref()
}
