import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Waymark } from '../support/waymark.ts'

/** Of the links below, those that have expired, and those that are archived. */
export const EVERY_EXPIRED = 2_500
export const EVERY_ARCHIVED = 4_000

const openData = (waymark: Waymark): SqliteDatabase.Database =>
  new SqliteDatabase(join(waymark.dataDir, 'waymark.db'), { timeout: 20_000 })

const numbersTo = (count: number): string =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`

const NUMBERED_UUID = `'01900000-0000-7000-8000-' || printf('%012d', n)`

/** The uuid of the copy or link with this number. */
export const uuidOfNumber = (number: number): string =>
  `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

/**
 * Gives the account of a running server many links, straight into its database: through the API it would take minutes.
 * They are numbered from 1, the oldest; `n7` leads to `https://example.com/7`, and an older link has more clicks. Two
 * accounts of a server have links with other letters.
 */
export function insertManyLinks(waymark: Waymark, email: string, count: number, letter = 'n'): void {
  const db = openData(waymark)
  try {
    const { uuid } = db.prepare('select uuid from users where email = ?').get(email) as { uuid: string }
    const numbers = numbersTo(count)
    const linkUuid = `replace(${NUMBERED_UUID}, '-8000-', '-8${letter.charCodeAt(0).toString(16).padStart(3, '0')}-')`
    db.transaction(() => {
      db.exec(`insert into links (uuid, workspace_uuid, domain, short_code, url, title, custom, redirect, clicks, bot_clicks,
          expires_at, archived, last_click_at, created_at, updated_at)
        ${numbers} select ${linkUuid}, '${uuid}', '', '${letter}' || n, 'https://example.com/' || n, 'Link ' || n, 1, 302,
          ${count} - n, 0, case when n % ${EVERY_EXPIRED} = 0 then 1 end, n % ${EVERY_ARCHIVED} = 0, n, 0, 0 from numbers`)
      db.exec(`insert into short_codes (domain, short_code, link_uuid, created_at)
        ${numbers} select '', '${letter}' || n, ${linkUuid}, 0 from numbers`)
      db.exec(`insert into totals (workspace_uuid, resource, total) values ('${uuid}', 'links', ${count})
        on conflict do update set total = total + ${count}`)
    })()
  } finally {
    db.close()
  }
}

/** Copies a row many times. The copies are numbered from 1, the oldest; `vary` gives columns another value, in SQL. */
export function insertCopies(
  waymark: Waymark,
  {
    table,
    resource = table,
    uuid,
  }: { readonly table: string; readonly resource?: string; readonly uuid: string },
  count: number,
  vary: Readonly<Record<string, string>> = {},
): void {
  const db = openData(waymark)
  try {
    const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
    const values = columns.map((name) => (name === 'uuid' ? NUMBERED_UUID : (vary[name] ?? name)))
    db.transaction(() => {
      db.exec(`insert into ${table} (${columns.join()})
        ${numbersTo(count)} select ${values.join()} from ${table}, numbers where uuid = '${uuid}'`)
      db.exec(`update totals set total = total + ${count} where resource = '${resource}'
        and workspace_uuid = (select workspace_uuid from ${table} where uuid = '${uuid}')`)
    })()
  } finally {
    db.close()
  }
}
