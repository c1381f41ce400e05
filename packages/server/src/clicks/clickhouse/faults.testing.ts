import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to the next insert. */
export type Fault =
  /** ClickHouse does not receive it. */
  | { readonly kind: 'rejected'; readonly status: number; readonly text: string }
  /** The connection breaks in the middle. */
  | { readonly kind: 'cut' }
  /** ClickHouse receives it, and the client loses the connection. */
  | { readonly kind: 'unanswered' }
  /** ClickHouse receives a wrong password. */
  | { readonly kind: 'password' }

/** A proxy that makes one insert fail as a network or a full disk would. */
export async function startFaultyProxy(target: string) {
  const { hostname, port, username, password, pathname } = new URL(target)
  let fault: Fault | undefined
  let inserts = 0

  const forward = (from: IncomingMessage, body: Buffer, authorization: string): Promise<[number, Buffer]> =>
    new Promise((resolve, reject) => {
      const headers = { authorization, 'content-length': body.length }
      const to = request({ hostname, port, method: 'POST', path: from.url, headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve([answer.statusCode ?? 0, Buffer.concat(parts)]))
      })
      to.on('error', reject)
      to.end(body)
    })

  const answer = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of from) parts.push(part as Buffer)
    let body = Buffer.concat(parts)
    let authorization = from.headers.authorization ?? ''
    const isInsert = /query=insert/.test(from.url ?? '')
    const own = isInsert ? fault : undefined
    if (isInsert) {
      inserts++
      fault = undefined
    }
    if (own?.kind === 'rejected') {
      to.writeHead(own.status)
      to.end(own.text)
      return
    }
    if (own?.kind === 'password') authorization = `Basic ${Buffer.from('waymark:wrong').toString('base64')}`
    if (own?.kind === 'cut') body = body.subarray(0, body.length >> 1)
    const [status, text] = await forward(from, body, authorization)
    if (own?.kind === 'cut' || own?.kind === 'unanswered') {
      to.destroy()
      return
    }
    to.writeHead(status)
    to.end(text)
  }

  const server = createServer((from, to) => {
    answer(from, to).catch(() => to.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  return {
    url: `http://${username}:${password}@127.0.0.1:${own}${pathname}`,
    next: (given: Fault): void => void (fault = given),
    get inserts() {
      return inserts
    },
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
