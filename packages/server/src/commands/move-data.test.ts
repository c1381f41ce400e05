import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '@waymark/cli/terminal'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../storage/db/open.ts'
import { moveData } from './move-data.ts'

/* The move itself is tested in e2e/migrate-data.test.ts. */

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waymark-move-'))
  await (await openDatabase({ url: undefined, dataDir })).close()
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const to = 'postgres://127.0.0.1:9/waymark'

it.each([
  ['--from must be sqlite: and a path', { from: './data', to }],
  ['--to must begin with postgres://', { to: 'mysql://db/waymark' }],
  ['--files-to must be a URL', { to, filesTo: 'bucket' }],
  ['--files-to must name a bucket', { to, filesTo: 'https://key:secret@s3.example.com' }],
])('%s', async (message, options) => {
  const moved = moveData({ from: `sqlite:${dataDir}`, ...options })
  await expect(moved).rejects.toThrow(message)
  await expect(moved).rejects.toThrow(UsageError)
})

it('names the option, not DATABASE_URL, if the target cannot be reached', async () => {
  await expect(moveData({ from: `sqlite:${dataDir}`, to })).rejects.toThrow(
    'the database cannot be reached, check --to: nothing listens at its address',
  )
})
