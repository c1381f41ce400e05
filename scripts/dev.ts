import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer, type Plugin } from 'vite'
import { SERVER_FLAGS, SERVER_MEMORY } from '../packages/server/bin/start-flags.mjs'
import { freePort } from './services/server-process.ts'

/*
 * `npm run dev`: everything at http://localhost:3000, or at PORT. The dashboard comes from Vite, which replaces changed modules
 * in the browser. All other requests go to a server that runs the sources and restarts when one of them changes. Its data is in
 * dev-data/. Variables of docs/configuration.md apply.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const SERVED = globSync('packages/*/src', { cwd: root, exclude: ['packages/web'] }).map((name) =>
  join(root, name),
)
const SETTLED_MS = 100
const POLL_MS = 50

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

const port = Number(process.env['PORT'] ?? 3000)
const serverPort = await freePort()
const target = `http://127.0.0.1:${serverPort}`
const dataDir = process.env['DATA_DIR'] ?? join(root, 'dev-data')
mkdirSync(dataDir, { recursive: true })
const env = {
  ...SERVER_MEMORY,
  BASE_URL: `http://localhost:${port}`,
  ...process.env,
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(serverPort),
  TRUST_PROXY: 'loopback',
}

let child: ChildProcess | undefined
let isStopping = false

/** Ends when the API answers, or with the process: requests then fail until the next change. */
async function start(): Promise<void> {
  const started = spawn(process.execPath, [...SERVER_FLAGS, join(root, 'packages/server/src/main.ts')], {
    env,
    stdio: 'inherit',
  })
  child = started
  while (isRunning(started)) {
    const isUp = await fetch(`${target}/v1/healthcheck`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await delay(POLL_MS)
  }
}

async function stop(): Promise<void> {
  if (child === undefined || !isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Ends when the server answers; requests that arrive earlier wait for it. */
let serving = start()
let settled: NodeJS.Timeout | undefined

function restart(): void {
  serving = serving.then(async () => {
    if (isStopping) return
    console.log('A source has changed: restarting the server')
    await stop()
    await start()
  })
}

/** Before Vite's own handlers, which pass requests on. */
const waitForServer: Plugin = {
  name: 'waymark:wait-for-server',
  configureServer: ({ middlewares }) => {
    middlewares.use((_request, _response, next) => void serving.then(() => next()))
  },
}

const vite = await createServer({
  configFile: join(root, 'packages/web/vite.config.ts'),
  plugins: [waitForServer],
  server: {
    port,
    strictPort: true,
    // What is not the dashboard. The server sees the visitor's address and host.
    proxy: { '^/(?!app(?:[/?]|$))': { target, xfwd: true } },
  },
})
await vite.listen()
vite.watcher.add(SERVED)
vite.watcher.on('all', (_event, file) => {
  if (!SERVED.some((folder) => file.startsWith(folder)) || file.includes('.test.')) return
  clearTimeout(settled)
  settled = setTimeout(restart, SETTLED_MS)
})
console.log(`Waymark for development is at http://localhost:${port}; data in ${dataDir}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isStopping = true
    void Promise.all([stop(), vite.close()]).then(() => process.exit(0))
  })
}
