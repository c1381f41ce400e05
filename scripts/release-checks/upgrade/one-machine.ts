import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { post } from '../../../e2e/support/requests.ts'
import {
  type Account,
  type Program,
  runCliOf,
  startInVain,
  startWaymark,
  type Waymark,
} from '../../../e2e/support/waymark.ts'
import { createAccount } from '../account.ts'
import type { Steps } from '../steps.ts'
import {
  BASE_URL,
  createBelongings,
  readBelongings,
  untilClicks,
  visit,
} from '../../../e2e/support/belongings.ts'
import type { Versions } from './versions.ts'

/** docs/upgrading.md, "One machine" and "Rolling back", on SQLite. */
export async function upgradeOneMachine(folder: string, versions: Versions, steps: Steps): Promise<void> {
  const { earlier, later } = versions
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const archive = join(folder, 'before.tar')
  const settings = { DATA_DIR: dataDir, BASE_URL }

  const { account, before } = await steps.take('SQLite: 1.0.0 has data and makes a backup', () =>
    withWaymark(settings, earlier, async (waymark) => {
      const owner = await createAccount(waymark)
      await createBelongings(waymark, owner)
      const read = await readBelongings(waymark, owner)
      await succeed(earlier, settings, 'backup', archive)
      return { account: owner, before: read }
    }),
  )
  await steps.take('1.1.0 upgrades it on its first start, and nothing is lost', () =>
    withWaymark(settings, later, async (waymark) => {
      assert.deepEqual(await readBelongings(waymark, account), before)
      await visit(waymark, 'kept')
      await untilClicks(waymark, account, uuidOf(before), 2)
      const { status } = await post(waymark, account, '/v1/generate-link', {
        link: 'https://example.com/new',
      })
      assert.equal(status, 201)
    }),
  )
  await steps.take('1.0.0 does not start on the newer schema, and says so in one line', () =>
    mustRefuse(settings, earlier),
  )
  await steps.take('the way back: 1.0.0 restores its backup', () =>
    restoreWith(earlier, join(folder, 'way-back'), archive, account, before),
  )
  await steps.take('1.1.0 verifies and restores the backup of 1.0.0', async () => {
    await succeed(later, settings, 'backup', 'verify', archive)
    await restoreWith(later, join(folder, 'way-forward'), archive, account, before)
  })
}

async function restoreWith(
  program: Program,
  dataDir: string,
  archive: string,
  account: Account,
  before: Record<string, unknown>,
): Promise<void> {
  await succeed(program, { DATA_DIR: dataDir }, 'restore', archive)
  await withWaymark({ DATA_DIR: dataDir, BASE_URL }, program, async (waymark) =>
    assert.deepEqual(await readBelongings(waymark, account), before),
  )
}

const uuidOf = (read: Record<string, unknown>): string => {
  const links = read['/v1/links'] as { uuid: string; code: string }[]
  return links.find(({ code }) => code === 'kept')?.uuid ?? ''
}

async function succeed(program: Program, settings: Record<string, string>, ...args: string[]): Promise<void> {
  const { code, stderr } = await runCliOf(program, settings, ...args)
  assert.equal(code, 0, `waymark ${args.join(' ')}: ${stderr}`)
}

/** Starts a version, and stops it like an operator. */
export async function withWaymark<T>(
  settings: Record<string, string>,
  program: Program,
  use: (waymark: Waymark) => Promise<T>,
): Promise<T> {
  const waymark = await startWaymark(settings, program)
  try {
    const result = await use(waymark)
    assert.equal(await waymark.end('SIGTERM'), 0)
    return result
  } finally {
    await waymark.end('SIGKILL')
  }
}

/** One line says that the data is newer than this version. */
export async function mustRefuse(settings: Record<string, string>, program: Program): Promise<void> {
  const { code, output } = await startInVain(settings, program)
  assert.equal(code, 1, output)
  assert.match(output.trim(), /^[^\n]*was written by a newer Waymark[^\n]*$/)
}
