import { chmod, mkdtemp, open, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { forEachStack } from './support/stacks.ts'
import { freePort, runCli } from './support/waymark.ts'

interface Report {
  readonly ok: boolean
  readonly checks: readonly { name: string; state: string; detail: string; fix: string | null }[]
}

const examine = async (settings: Record<string, string>) => {
  const { stdout, code } = await runCli(settings, 'doctor', '--json')
  const report = JSON.parse(stdout) as Report
  return {
    code,
    report,
    stateOf: (name: string) => report.checks.find((check) => check.name === name)?.state,
  }
}

forEachStack((waymark) => {
  it('finds nothing wrong with a running installation', async () => {
    const { code, report, stateOf } = await examine(waymark().env)
    expect(report.checks.filter(({ state }) => state === 'failed')).toEqual([])
    expect([code, report.ok]).toEqual([0, true])
    for (const name of [
      'configuration',
      'data folder',
      'file modes',
      'database',
      'S3',
      'Redis',
      'DNS',
      'BASE_URL',
    ])
      expect([name, stateOf(name)]).toEqual([name, 'ok'])
    const text = await waymark().cli('doctor')
    expect(text.stdout).toContain('✓ database')
  })
})

it('says what is wrong, how to fix it, and exits 1', async () => {
  const port = await freePort()
  const nowhere = `127.0.0.1:${port}`
  const { code, report, stateOf } = await examine({
    DATA_DIR: '/proc/nowhere/data',
    PORT: String(port),
    BASE_URL: 'https://does-not-exist.invalid',
    DATABASE_URL: `postgres://waymark:secret@${nowhere}/waymark`,
    SECRET_KEY: 'a secret for tests that nobody else knows',
    REDIS_URL: `redis://${nowhere}`,
    S3_URL: `http://key:secret@${nowhere}/bucket`,
    SMTP_URL: `smtp://${nowhere}`,
  })
  expect([code, report.ok]).toEqual([1, false])
  for (const name of ['data folder', 'database', 'Redis', 'S3', 'SMTP', 'DNS'])
    expect([name, stateOf(name)]).toEqual([name, 'failed'])
  expect(stateOf('proxy')).toBe('warning')
  for (const { state, fix } of report.checks) expect(fix === null).toBe(state === 'ok')
  expect(JSON.stringify(report)).not.toContain('secret@')
})

it('notices data that others can read, a schema of another version, and a wrong setting', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-doctor-'))
  await runCli({ DATA_DIR: dataDir }, 'migrate')
  await chmod(join(dataDir, 'secret.key'), 0o644)
  expect((await examine({ DATA_DIR: dataDir })).stateOf('file modes')).toBe('warning')
  const broken = await mkdtemp(join(tmpdir(), 'waymark-doctor-'))
  await writeFile(join(broken, 'waymark.db'), 'not a database')
  expect((await examine({ DATA_DIR: broken })).stateOf('database')).toBe('failed')
  const damaged = await mkdtemp(join(tmpdir(), 'waymark-doctor-'))
  await runCli({ DATA_DIR: damaged }, 'migrate')
  const file = await open(join(damaged, 'waymark.db'), 'r+')
  const { size } = await file.stat()
  // A page in the middle, of a table that holds nothing yet.
  await file.write(Buffer.alloc(4096, 0xa5), 0, 4096, Math.floor(size / 8192) * 4096)
  await file.close()
  const found = await examine({ DATA_DIR: damaged })
  expect([found.code, found.stateOf('database')]).toEqual([1, 'failed'])
  const wrong = await examine({ PORT: 'many' })
  expect([wrong.code, wrong.report.checks]).toEqual([
    1,
    [expect.objectContaining({ name: 'configuration', state: 'failed' })],
  ])
})
