import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BASE_URL, createBelongings, readBelongings } from '../e2e/support/belongings.ts'
import { startWaymark } from '../e2e/support/waymark.ts'
import { createAccount } from './release-checks/account.ts'

/*
 * Stores a small data folder of a release, and what its API shows of it: npm run -s node scripts/keep-release-data.ts
 *
 * Every later test run opens it, upgrades it and reads it back (e2e/releases.test.ts). Run it once, right after the schema was
 * frozen; its result is never changed.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const releases = join(root, 'e2e/releases')
const folder = join(releases, version)
mkdirSync(releases, { recursive: true })
mkdirSync(folder)

const waymark = await startWaymark({ BASE_URL })
try {
  const account = await createAccount(waymark)
  await createBelongings(waymark, account)
  const shown = await readBelongings(waymark, account)
  await waymark.end('SIGTERM')
  execFileSync('tar', ['-czf', join(folder, 'data.tar.gz'), '-C', waymark.dataDir, '.'])
  writeFileSync(join(folder, 'shown.json'), `${JSON.stringify({ account, shown }, null, 2)}\n`)
} finally {
  await waymark.stop()
}
