import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Recorded {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export type Reply = (response: ServerResponse, request: Recorded) => void

/** A server that remembers what it was asked and answers what it was told to, in order; the last answer repeats. */
export class RecordingServer {
  readonly requests: Recorded[] = []
  readonly #server: Server
  #replies: Reply[] = []

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method = '', url = '', headers } = request
        const recorded = { method, url, headers, body: Buffer.concat(chunks) }
        this.requests.push(recorded)
        const reply = this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0]
        reply?.(response, recorded)
      })
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  respond(...replies: Reply[]): void {
    this.requests.length = 0
    this.#replies = replies
  }

  get last(): Recorded {
    const last = this.requests.at(-1)
    if (last === undefined) throw new Error('Nothing was asked')
    return last
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers })
      .end(JSON.stringify(body))

export const ok = (data: unknown, meta?: unknown): Reply =>
  json(200, { status: 'success', message: 'Done', data, ...(meta === undefined ? {} : { meta }) })

/** Cuts the connection without an answer. */
export const hangUp: Reply = (response) => response.destroy()

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** The parts of a multipart body by their raw names, read off the bytes. */
export const rawParts = ({ headers, body }: Recorded): { name: string; bytes: Buffer }[] => {
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  return body
    .toString('latin1')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [, name = '', content = ''] = /^\r\n[^]*? name="([^"]*)"[^]*?\r\n\r\n([^]*)\r\n$/.exec(part) ?? []
      return {
        name: Buffer.from(name, 'latin1').toString(),
        bytes: Buffer.from(content, 'latin1'),
      }
    })
}

/** What the signature of a request should be, by node:crypto and nothing of the SDK. */
export const expectedSignature = (secret: string, request: Recorded): string => {
  const isForm = (request.headers['content-type'] ?? '').startsWith('multipart/')
  const digest = isForm
    ? sha256(
        rawParts(request)
          .map(({ name, bytes }) => `${name}\n${sha256(bytes)}\n`)
          .join(''),
      )
    : sha256(request.body)
  const text = [request.headers['x-timestamp'], request.method, request.url, digest].join('\n')
  return createHmac('sha256', secret).update(text).digest('hex')
}
