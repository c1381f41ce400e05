import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { openDatabase } from '../../packages/server/src/storage/db/open.ts'

export const BENCH_USER = '019a0000-0000-7000-8000-4d2f9a61c7e3'

/** The code of the link with this number; wrk's script counts the same way. */
export function codeOf(number: number): string {
  return `b${String(number).padStart(7, '0')}`
}

/** Like version 7: in the order of creation, with a part at random. */
export function uuidOf(number: number): string {
  const time = (0x01_9a_00_00_00_00 + number).toString(16).padStart(12, '0')
  const rest = (((number + 1) * 2_654_435_761) % 2 ** 48).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${rest}`
}

/** A data folder with this many links in it, of its own account or of another; adds what is missing. */
export async function fillLinks(dataDir: string, count: number, owner = BENCH_USER): Promise<void> {
  const database = await openDatabase({ url: undefined, dataDir })
  await database.close()
  const db = new BetterSqlite(join(dataDir, 'waymark.db'))
  db.pragma('synchronous = off')
  db.pragma('cache_size = -200000')
  const have = db.prepare<[], { n: number }>('select count(*) as n from short_codes').get()?.n ?? 0
  // As of now: an account from 1970 gets an invoice for each month since, one commit each while the benchmark runs.
  const now = Date.now()
  db.prepare(
    `insert into workspaces (uuid, name, plan, plan_started_at, created_at, updated_at)
      values (?, 'bench', 'free', ?, ?, ?) on conflict do nothing`,
  ).run(BENCH_USER, now, now, now)
  for (let from = have; from < count; from += 50_000)
    insertLinks(db, owner, from, Math.min(count, from + 50_000))
  db.pragma('wal_checkpoint(truncate)')
  db.close()
}

function insertLinks(db: Sqlite, owner: string, from: number, to: number): void {
  const link = db.prepare<[string, string, string, string]>(
    `insert into links (uuid, workspace_uuid, domain, short_code, url, custom, redirect, clicks, bot_clicks, created_at,
      updated_at) values (?, ?, '', ?, ?, 0, 302, 0, 0, 0, 0)`,
  )
  const code = db.prepare<[string, string]>(
    `insert into short_codes (domain, short_code, link_uuid, created_at) values ('', ?, ?, 0)`,
  )
  db.transaction(() => {
    for (let number = from; number < to; number++) {
      const uuid = uuidOf(number)
      link.run(uuid, owner, codeOf(number), `https://example.com/some/page?number=${number}`)
      code.run(codeOf(number), uuid)
    }
  })()
}

export function countedClicks(dataDir: string): number {
  const db = new BetterSqlite(join(dataDir, 'waymark.db'), { readonly: true })
  try {
    return (
      db.prepare<[], { n: number | null }>('select sum(clicks) as n from links where clicks > 0').get()?.n ??
      0
    )
  } finally {
    db.close()
  }
}

/** Until the spool is empty. */
export async function untilCounted(dataDir: string): Promise<void> {
  const spool = join(dataDir, 'spool')
  while (existsSync(spool) && readdirSync(spool).some((name) => name.endsWith('.spool'))) await delay(50)
}

export const BENCH_DOMAIN = 'go.example.org'

/** Gives the link with number 1 to a custom domain as well, under the same short code. */
export function addCustomDomain(dataDir: string): void {
  const db = new BetterSqlite(join(dataDir, 'waymark.db'))
  db.prepare(
    `insert into domains (uuid, name, workspace_uuid, token, verified_at, created_at, updated_at)
      values (?, ?, ?, '', 0, 0, 0)`,
  ).run(uuidOf(0), BENCH_DOMAIN, BENCH_USER)
  db.prepare(`insert into short_codes (domain, short_code, link_uuid, created_at) values (?, ?, ?, 0)`).run(
    BENCH_DOMAIN,
    codeOf(1),
    uuidOf(1),
  )
  db.close()
}
