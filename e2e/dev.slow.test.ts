import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from './support/waymark.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const SOURCE = join(root, 'packages/server/src/main.ts')

describe('npm run dev', () => {
  let dev: ChildProcess
  let url = ''
  let output = ''
  let dataDir = ''
  beforeAll(async () => {
    const port = await freePort()
    url = `http://localhost:${port}`
    dataDir = await mkdtemp(join(tmpdir(), 'waymark-dev-'))
    dev = spawn('npm', ['run', '-s', 'dev'], {
      cwd: root,
      detached: true,
      // Vitest sets BASE_URL for its own use.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    dev.stdout?.on('data', (text: Buffer) => (output += text.toString()))
    await vi.waitUntil(() => output.includes('is at'), { timeout: 120_000 })
  })
  afterAll(async () => {
    if (dev.pid !== undefined && dev.exitCode === null && dev.signalCode === null) {
      process.kill(-dev.pid, 'SIGTERM')
      await once(dev, 'exit')
    }
    await rm(dataDir, { recursive: true, force: true })
  })

  const startsOfServer = (): number => output.match(/Waymark is at/g)?.length ?? 0

  it('serves API, docs and dashboard at one port, and the dashboard is not a built one', async () => {
    expect((await fetch(`${url}/v1/healthcheck`)).status).toBe(200)
    expect((await fetch(`${url}/docs`)).status).toBe(200)
    const page = await fetch(`${url}/app/`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/app/@vite/client')])
  })

  it('restarts the server when a source changes, and requests wait for it', async () => {
    const before = startsOfServer()
    // Older, so that the build of this clone, which other tests start, is not outdated.
    const { atime, mtime } = await stat(SOURCE)
    await utimes(SOURCE, atime, new Date(mtime.getTime() - 1_000))
    try {
      await expect.poll(() => output).toContain('restarting the server')
      expect((await fetch(`${url}/v1/healthcheck`)).status).toBe(200)
      await expect.poll(startsOfServer).toBe(before + 1)
    } finally {
      await utimes(SOURCE, atime, mtime)
    }
  })

  it('stops with its server', async () => {
    process.kill(-(dev.pid as number), 'SIGTERM')
    await once(dev, 'exit')
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})
