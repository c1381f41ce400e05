import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'

/** A wire between a node and a server that can be cut. */
export interface Proxy {
  readonly port: number
  /** Ends what goes through it and lets nothing through. */
  cut(): void
  mend(): void
  close(): void
}

export async function startProxy(target: { host: string; port: number }): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const upstream = connect(target)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    cut,
    mend: () => void (isCut = false),
    close() {
      cut()
      server.close()
    },
  }
}
