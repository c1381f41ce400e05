import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressBucket, plainAddress } from '../runtime/client-address.ts'

type OnConnection = (socket: Socket) => void

/**
 * Closes connections of an address that has too many open. Takes the place of the listeners that are there, so that
 * none of them sees a connection that is closed at once.
 */
export function limitConnections(
  server: Server,
  limit: number,
  isExempt: (address: string) => boolean,
): void {
  const listeners = server.listeners('connection') as OnConnection[]
  server.removeAllListeners('connection')
  const open = new Map<string, number>()
  const release = (bucket: string): void => {
    const left = (open.get(bucket) ?? 1) - 1
    if (left === 0) open.delete(bucket)
    else open.set(bucket, left)
  }
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress)
    if (!isExempt(address)) {
      const bucket = addressBucket(address)
      const count = (open.get(bucket) ?? 0) + 1
      if (count > limit) {
        socket.destroy()
        return
      }
      open.set(bucket, count)
      socket.once('close', () => release(bucket))
    }
    for (const listener of listeners) listener.call(server, socket)
  })
}
