import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** A delivery as it came in. */
export interface Received {
  readonly path: string
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  // oxlint-disable-next-line typescript/no-explicit-any -- events are looked into freely by tests
  readonly event: any
}

/** A status, or what to do with the response; nothing at all is an answer, too. */
export type Answer = number | ((response: ServerResponse) => void)

export interface Receiver {
  readonly url: string
  /** Everything that came, in order, at any path. */
  readonly all: Received[]
  /** What came at a path. */
  at(path: string): Received[]
  /** What to answer at a path from now on; 204 is what every other one gets. */
  answer(path: string, how: Answer): void
  close(): void
}

/** A real HTTP server that keeps what it is told. */
export async function openReceiver(): Promise<Receiver> {
  const all: Received[] = []
  const answers = new Map<string, Answer>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url: path = '', headers } = request
      const received = { path, id: String(headers['webhook-id']), headers, body, event: JSON.parse(body) }
      all.push(received)
      const how = answers.get(path) ?? 204
      if (typeof how === 'number') response.writeHead(how).end()
      else how(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    all,
    at: (path) => all.filter((received) => received.path === path),
    answer: (path, how) => void answers.set(path, how),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Holds a delivery against the secret with the library that receivers use; throws when it is not right. */
export const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)
