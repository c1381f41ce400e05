import { pino } from 'pino'
import { openApp } from './app.ts'
import type { Config } from './config.ts'

const DRAIN_MS = 9_000

/** Runs this process until it is told to stop. */
export async function serve(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel })
  const app = await openApp(config, log)
  await listen(app.http, config)
  console.log(`Waymark is at ${config.baseUrl}  (data in ${config.dataDir})`)

  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    // Whoever does not let go in time is cut off, so that everything is flushed within the ten seconds.
    setTimeout(() => app.http.server.closeAllConnections(), DRAIN_MS).unref()
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the stop failed')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

async function listen(
  http: Awaited<ReturnType<typeof openApp>>['http'],
  { host, port }: Config,
): Promise<void> {
  if (host !== undefined) {
    await http.listen({ host, port })
    return
  }
  // Both families where there are two; a machine without IPv6 has only the other.
  await http.listen({ host: '::', port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw error
    return http.listen({ host: '0.0.0.0', port })
  })
}
