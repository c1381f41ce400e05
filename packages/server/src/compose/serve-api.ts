import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { createPrivateServer } from '../api/private-server.ts'
import { tryLock } from '../clicks/spool/spool-folder.ts'
import type { Config } from '../config.ts'
import { parentChannel } from '../net/bus/channel.ts'
import { type ApiHalf, openApiHalf } from './api-half.ts'
import { type Half, obeyParent } from './half.ts'

/** Visitors are served first when both halves need the processor. */
const NICE = 5

/** Runs the API half on a private socket until its parent tells it to stop, or has ended. */
export async function serveApi(config: Config, half: Half): Promise<void> {
  const channel = parentChannel()
  const log = pino({ level: config.logLevel })
  obeyParent()
  let isStopping = false
  let stop = (): void => undefined
  channel.listen((note) => {
    if (note.kind !== 'stop' || isStopping) return
    isStopping = true
    stop()
  })
  lowerPriority()
  if (config.databaseUrl === undefined) await lockFolder(config.dataDir, half.pair)
  const api = await openApiHalf(config, log, {
    visitorSpool: half.spool,
    channel,
    // A replaced process serves even if the bucket was removed meanwhile.
    isFirst: half.pair === 0 && !half.isOpened,
    opened: (stage) => {
      if (stage === 'storage') channel.send({ kind: 'opened' })
    },
  })
  const server = await listen(half.socketPath, api)
  stop = () => {
    server.close()
    server.closeIdleConnections()
    closeAndExit(api, log)
  }
  if (isStopping) return stop()
  for (const line of api.notices) channel.send({ kind: 'notice', line })
  channel.send({ kind: 'ready' })
}

function lowerPriority(): void {
  try {
    setPriority(NICE)
  } catch {
    // Some systems do not allow it.
  }
}

async function listen(socketPath: string, { server: api }: ApiHalf): Promise<Server> {
  const server = createPrivateServer((request, response) => api.handle(request, response))
  // Of a process that was killed.
  rmSync(socketPath, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  chmodSync(socketPath, 0o600)
  return server
}

function closeAndExit(api: ApiHalf, log: Logger): void {
  api.close().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'the stop failed')
      process.exit(1)
    },
  )
}

/** Describes the owner of the lock. */
interface Holder {
  readonly pid: number
  readonly parent: number
}

const LOCK_WAIT_MS = 2_000
const LOCK_TRY_MS = 20

/**
 * Two API processes of a pair would not know of each other's changes. A former one ends with its visitors' process; one that
 * hangs is ended.
 */
async function lockFolder(dataDir: string, pair: number): Promise<void> {
  const name = `api-${pair}`
  const path = join(dataDir, `${name}.json`)
  let endAt = performance.now() + LOCK_WAIT_MS
  // Held until the process ends.
  while (tryLock(dataDir, name) === undefined) {
    if (performance.now() > endAt) {
      endHolder(path)
      endAt = performance.now() + LOCK_WAIT_MS
    }
    await delay(LOCK_TRY_MS)
  }
  const own: Holder = { pid: process.pid, parent: process.ppid }
  writeFileSync(path, JSON.stringify(own), { mode: 0o600 })
}

/** Ends the holder of the lock, if it is an API process that has lost its parent or has the same parent as this one. */
function endHolder(path: string): void {
  try {
    const { pid, parent } = JSON.parse(readFileSync(path, 'utf8')) as Holder
    const [ppid, command] = processOf(pid)
    if (!command.includes('"kind":"api"') || pid === process.pid) return
    if (ppid !== parent || parent === process.ppid) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** The parent and the command line of a process. */
function processOf(pid: number): readonly [ppid: number, command: string] {
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return [
      Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]),
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
    ]
  }
  const text = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
  const [, ppid, command = ''] = /^\s*(\d+)\s+(.*)/s.exec(text) ?? []
  return [Number(ppid), command]
}
