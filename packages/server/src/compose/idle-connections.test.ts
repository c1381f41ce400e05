import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { closeIdleLater } from './serve.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

let isClosing = false
const server = createServer((_request, response) => {
  if (isClosing) response.shouldKeepAlive = false
  response.end('here')
})

/** A client whose connection is kept open after a first response. */
const idleClient = async (): Promise<Socket> => {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(REQUEST)
  await once(socket, 'data')
  return socket
}

const beginStop = (): void => {
  isClosing = true
  closeIdleLater(server)
  server.close()
}

/** Blocks the process for longer than connections may be idle. */
const stall = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)

afterEach(() => server.closeAllConnections())

it('responds to requests that arrive on idle connections after the stop began, however late they are read', async () => {
  const client = await idleClient()
  const silent = await idleClient()
  beginStop()
  client.write(REQUEST)
  stall()
  const [response, nothing] = await Promise.all([text(client), text(silent)])
  expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*connection: close\r\n[^]*here$/i)
  expect(nothing).toBe('')
})
