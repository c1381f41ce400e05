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
/** Long enough for a busy machine; a process that is left hanging never ends. */
const END_MS = 55_000

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
  it.each(STAGES)('a start that fails after %s leaves nothing open, and can be repeated', async (stage) => {
    const { url, dataDir } = await databases.place()
    const env = {
      DATA_DIR: dataDir,
      ...(url !== undefined && { DATABASE_URL: url, SECRET_KEY: 'a secret for tests that nobody knows' }),
    }
    const child = run(CHILD, [stage], env)
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
    const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    clearTimeout(timer)
    expect([code, signal]).toEqual([0, null])
    expect(JSON.parse(printed)).toEqual({
      seen: STAGES.slice(0, STAGES.indexOf(stage) + 1),
      error: `failed after ${stage}`,
    })
  })
})

describe('AsyncDisposableStack, which closes the service', () => {
  it('closes in reverse order, and a close that rejects does not skip the others', async () => {
    const closed: string[] = []
    const stack = new AsyncDisposableStack()
    stack.defer(() => void closed.push('first'))
    stack.defer(() => Promise.reject(new Error('second')))
    stack.defer(() => void closed.push('third'))
    await expect(stack.disposeAsync()).rejects.toThrow('second')
    expect(closed).toEqual(['third', 'first'])
  })
})

describe('SIGTERM during the start', () => {
  it('exits with 0 once the start has begun to open things, and never announces itself', async () => {
    const dataDir = await newFolder()
    const child = run(MAIN, [], { DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    const printed = text(child.stdout)
    await expect.poll(() => existsSync(join(dataDir, 'waymark.db')), { timeout: END_MS }).toBe(true)
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
    const ended = await once(child, 'exit')
    clearTimeout(timer)
    expect(ended).toEqual([0, null])
    expect(await printed).toBe('')
  })
})
