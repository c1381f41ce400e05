import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../storage/db/database.ts'
import { openDatabase } from '../storage/db/open.ts'
import { askServices } from '../storage/db/testing.ts'
import { openTarget } from '../storage/backups/targets.ts'
import { backupJob, lastBackup } from './background.ts'

let folder = ''
let db: Database

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-scheduled-'))
  db = await openDatabase({ url: undefined, dataDir: join(folder, 'data') })
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const jobOf = (target: string) => {
  const config = readConfig({
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY: 'k'.repeat(32),
    BACKUP_TO: target,
    BACKUP_KEEP: '2',
  })
  if (config.backups === undefined) throw new Error('BACKUP_TO was not read')
  return backupJob(config, config.backups, pino({ level: 'silent' }))
}

const targets: [string, () => Promise<string>][] = [
  ['a folder', () => Promise.resolve(join(folder, 'kept'))],
  [
    'a bucket',
    async () => {
      const url = new URL((await askServices('s3'))['url'] ?? '')
      url.pathname += `/${crypto.randomUUID()}`
      return url.href
    },
  ],
]

describe.each(targets)('backups on a schedule, in %s', (_name, targetOf) => {
  it('are verified, and the oldest ones are deleted', async () => {
    const target = await targetOf()
    const job = jobOf(target)
    const { signal } = new AbortController()
    await job.run(signal)
    const first = await openTarget(target).list()
    expect(first).toHaveLength(1)
    await job.run(signal)
    await job.run(signal)
    const rest = await openTarget(target).list()
    expect(rest).toHaveLength(2)
    expect(rest).not.toContain(first[0])
    expect(lastBackup.seconds).toBeGreaterThan(0)
    expect((await readdir(join(folder, 'data'))).filter((name) => name.startsWith('backup-'))).toEqual([])
  })
})

it('the next backup removes leftovers of a killed one, but not archives that are being written', async () => {
  const [target, data] = [join(folder, 'leftovers'), join(folder, 'data')]
  await mkdir(target)
  const old = [
    `.${crypto.randomUUID()}.partial`,
    '.waymark-2026-11-15T12-00-00-000Z.tar.partial',
    'own.partial',
  ]
  const present = `.${crypto.randomUUID()}.partial`
  const lastHour = Date.now() / 1000 - 3_600
  for (const place of [target, data])
    for (const name of [...old, present]) {
      await writeFile(join(place, name), '')
      if (name !== present) await utimes(join(place, name), lastHour, lastHour)
    }
  await jobOf(target).run(new AbortController().signal)
  for (const place of [target, data])
    expect((await readdir(place)).filter((name) => name.endsWith('.partial')).sort()).toEqual(
      [present, 'own.partial'].sort(),
    )
})

it('an aborted run ends soon, and stores nothing under the name of a backup', async () => {
  const target = join(folder, 'cut-off')
  await expect(jobOf(target).run(AbortSignal.abort())).rejects.toThrow(/abort/i)
  expect(await openTarget(target).list()).toEqual([])
})

it('a backup that cannot be restored fails the run and deletes no older one', async () => {
  const target = join(folder, 'damaged')
  const job = jobOf(target)
  const { signal } = new AbortController()
  await job.run(signal)
  await job.run(signal)
  // Simulates a target that loses bytes, which is noticed because the backup is read back from there.
  const names = await openTarget(target).list()
  await truncate(join(target, names[1] ?? ''), 4096)
  const { verifyStored } = await import('../storage/backups/stored-backups.ts')
  const settings = { dataDir: join(folder, 'data'), secretKey: 'k'.repeat(32), withFiles: true, known: [] }
  await expect(verifyStored({ ...settings, target }, names[1] ?? '')).rejects.toThrow(
    /is (incomplete|broken)/,
  )
  expect(await openTarget(target).list()).toEqual(names)
})
