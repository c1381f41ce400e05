import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needProgram } from './programs.ts'
import { ServerProcess, commandsOf, freePort } from './server-process.ts'
import type { Service } from './server-process.ts'

/** Starts a real Redis (or Valkey) on a free port. */
export async function startRedis(): Promise<Service> {
  const file = await needProgram(['redis-server', 'valkey-server'], 'redis-server')
  const folder = await mkdtemp(join(tmpdir(), 'waymark-redis-'))
  const port = await freePort()
  const server = new ServerProcess({
    file,
    // Saved on SIGTERM, so that a resumed server has its data.
    args: [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '3600 1',
      '--appendonly',
      'no',
    ],
    ready: /ready to accept connections/i,
    endSignal: 'SIGTERM',
  })
  await server.start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    ...commandsOf(server, folder),
  }
}
