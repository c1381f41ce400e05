import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What came back over a socket: everything, as text. */
export interface Conversation {
  readonly socket: Socket
  /** Everything received so far. */
  heard(): string
  /** Waits until what was heard matches, or the other end has closed, or the time is up; answers what was heard. */
  until(pattern: RegExp, timeoutMs?: number): Promise<string>
  /** Sends all of it, however slowly the other end takes it. */
  send(bytes: string | Uint8Array): Promise<void>
  /** Waits until the other end has closed; answers whether it did. */
  closed(timeoutMs?: number): Promise<boolean>
  end(): void
}

/** A client that says exactly what it is told to. */
export async function converse(port: number): Promise<Conversation> {
  const socket = connect(port, 'localhost')
  let text = ''
  let isClosed = false
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  socket.on('error', () => {})
  socket.on('close', () => (isClosed = true))
  await once(socket, 'connect')
  const wait = async (done: () => boolean, timeoutMs: number): Promise<void> => {
    const deadline = Date.now() + timeoutMs
    while (!done() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return {
    socket,
    heard: () => text,
    async until(pattern, timeoutMs = 60_000) {
      await wait(() => isClosed || pattern.test(text), timeoutMs)
      return text
    },
    send: (bytes) => new Promise((resolve) => void socket.write(bytes, () => resolve())),
    async closed(timeoutMs = 60_000) {
      await wait(() => isClosed, timeoutMs)
      return isClosed
    },
    end: () => void socket.destroy(),
  }
}

/** The head of an HTTP/1.1 request. */
export const head = (method: string, target: string, headers: Record<string, string>): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

/** The status codes in a conversation, in order. */
export const statuses = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]))
