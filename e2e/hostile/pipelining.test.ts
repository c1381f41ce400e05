import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { newBystander } from '../support/isolation.ts'
import { limitMemory, watchMemory } from '../support/memory.ts'
import { call, Visitor } from '../support/visitors.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'

const CONNECTIONS = 40
const PIPELINED_BYTES = 8 * 1024 * 1024
/** Responses that each connection gets before the attack ends: far more than may be outstanding. */
const RESPONSES = 300
const MEGABYTES = 400
/** Where others come from. */
const ELSEWHERE = '127.0.0.99'

/** Sends everything at once, and reads what comes back. */
async function pipeline(
  { port }: Waymark,
  requests: Buffer,
): Promise<{ socket: Socket; served: () => number }> {
  const socket = connect(port, '127.0.0.1')
  let served = 0
  let last = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    const text = last + chunk.toString('latin1')
    served += text.split('HTTP/1.1 ').length - 1
    last = text.slice(-'HTTP/1.1'.length)
  })
  await once(socket, 'connect')
  socket.write(requests)
  return { socket, served: () => served }
}

it('megabytes of pipelined requests take little memory, and others are served', async () => {
  const waymark = await startWaymark()
  limitMemory(waymark)
  const { account, code } = await newBystander(waymark)
  for (const path of ['/v1/healthcheck', `/${code}`]) {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const requests = Buffer.from(request.repeat(Math.ceil(PIPELINED_BYTES / request.length)))
    const memory = watchMemory(waymark)
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pipeline(waymark, requests)))
    for (const { served } of clients) await expect.poll(served).toBeGreaterThan(RESPONSES)
    for (let visit = 0; visit < 10; visit++)
      expect((await call(waymark, 'GET', `/${code}`, { from: ELSEWHERE })).status).toBe(302)
    const visitor = new Visitor(waymark, ELSEWHERE)
    expect((await visitor.signIn(account.email, account.password)).status).toBe(200)
    expect(clients.filter(({ socket }) => socket.closed)).toEqual([])
    memory.stop()
    for (const { socket } of clients) socket.destroy()
    console.log(`pipelined GET ${path}: ${memory.peak().toFixed(0)} MB`)
    expect(memory.peak()).toBeLessThan(MEGABYTES)
  }
  await waymark.stop()
})
