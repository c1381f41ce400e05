import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import './released.ts'

export interface Running {
  readonly url: string
  readonly pid: number
  /** Resident memory of the process in megabytes. */
  memoryMb(): number
  stop(): Promise<void>
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const startBare = (): Promise<Running> => start([file('./bare.ts')], {})

/** A bare server that sends one page. */
export const startBarePage = (headers: readonly string[], bodyFile: string): Promise<Running> =>
  start([file('./bare-page.ts')], { PAGE_HEADERS: JSON.stringify(headers), PAGE_BODY: bodyFile })

/** The redirect alone, without a cache. */
export const startMisses = (dataDir: string): Promise<Running> =>
  start([file('./misses.ts')], { DATA_DIR: dataDir })

/** The whole product, as it is released. */
export function startWaymark(dataDir: string, env: Record<string, string> = {}): Promise<Running> {
  const command = [process.env['WAYMARK_LAUNCHER'] ?? '', 'serve']
  return start(command, { DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env })
}

/** The paths of the API behind Fastify, or behind its router alone. */
export const startRouter = (router: string): Promise<Running> =>
  start([file('./router-server.ts')], { ROUTER: router })

async function start(command: readonly string[], env: Record<string, string>): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, command, {
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended at once`)
    await delay(50)
  }
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    memoryMb: () => residentMb(pid),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { redirect: 'manual' })
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
