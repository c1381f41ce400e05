import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { limitConnections } from './connections.ts'

const sockets: Socket[] = []
const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

const listen = async (isExempt: (address: string) => boolean): Promise<() => Promise<Socket>> => {
  const server = createServer((_request, response) => response.end('served'))
  limitConnections(server, 2, isExempt)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  const { port } = server.address() as AddressInfo
  return async () => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
}

const isServed = async (socket: Socket): Promise<boolean> => {
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as unknown[]
  return String(chunk).includes('served')
}

it('closes the connections of an address past its limit, and counts those that ended no more', async () => {
  const open = await listen(() => false)
  const [first, second] = [await open(), await open()]
  expect(await isServed(first)).toBe(true)
  expect(await isServed(second)).toBe(true)
  expect(await isServed(await open())).toBe(false)
  first.destroy()
  await expect.poll(async () => isServed(await open())).toBe(true)
})

it('leaves exempt addresses alone', async () => {
  const open = await listen((address) => address === '127.0.0.1')
  const served = await Promise.all(Array.from({ length: 5 }, async () => isServed(await open())))
  expect(served).toEqual(Array(5).fill(true))
})
