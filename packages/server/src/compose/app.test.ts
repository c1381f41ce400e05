import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { forEachDatabase } from '../storage/db/testing.ts'
import type { Stage } from './app.ts'

const CHILD = fileURLToPath(new URL('start-child.testing.ts', import.meta.url))
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const STAGES: Stage[] = ['storage', 'modules', 'visitors', 'background', 'api']
/** Long enough for a busy machine; a process that hangs never ends. */
const END_MS = 110_000
const TEST_MS = END_MS + 10_000

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-start-'))
  folders.push(folder)
  return folder
}

const run = (program: string, args: string[], env: Record<string, string>) =>
  spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

forEachDatabase((_engine, _open, databases) => {
  it(
    'starts that fail at each stage, and a part that fails to close, leave nothing open',
    async () => {
      const { url, dataDir } = await databases.emptyPlace()
      const env = {
        DATA_DIR: dataDir,
        ...(url !== undefined && { DATABASE_URL: url, SECRET_KEY: 'a secret for tests that nobody knows' }),
      }
      const child = run(CHILD, STAGES, env)
      const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
      const [printed, ended] = await Promise.all([text(child.stdout), once(child, 'exit')])
      clearTimeout(timer)
      const lines = printed.trim().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        ...STAGES.map((stage, at) => ({ seen: STAGES.slice(0, at + 1), error: `failed after ${stage}` })),
        { error: 'failed to close' },
      ])
      expect(ended).toEqual([0, null])
    },
    TEST_MS,
  )
})

describe('SIGTERM during the start', () => {
  it(
    'exits with 0 once the start has begun to open things, and never announces itself',
    async () => {
      const dataDir = await newFolder()
      const child = run(MAIN, [], { DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
      const printed = text(child.stdout)
      await expect.poll(() => existsSync(join(dataDir, 'waymark.db')), { timeout: END_MS / 2 }).toBe(true)
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
      const ended = await once(child, 'exit')
      clearTimeout(timer)
      expect(ended).toEqual([0, null])
      expect(await printed).toBe('')
    },
    TEST_MS,
  )
})
