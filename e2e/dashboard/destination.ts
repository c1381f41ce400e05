import { once } from 'node:events'
import { createServer } from 'node:http'

/** A site that short links lead to: tests reach nothing outside this machine. */
export interface Destination {
  readonly url: string
  close(): void
}

export async function openDestination(): Promise<Destination> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Arrived</title><p>You have arrived</p>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return { url: `http://127.0.0.1:${address.port}/arrived`, close: () => void server.close() }
}
