import { Client } from 'pg'
import { openDatabase } from '../../packages/server/src/storage/db/open.ts'
import { BENCH_USER, codeOf, uuidOf } from './links.ts'

const BATCH = 20_000

/** The same links as in the embedded database of a benchmark. */
export async function fillPostgres(url: string, count: number, owner = BENCH_USER): Promise<void> {
  await (await openDatabase({ url, dataDir: '' })).close()
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into workspaces (uuid, name, plan, plan_started_at, created_at, updated_at)
      values ($1, 'bench', 'free', $2, $2, $2) on conflict do nothing`,
    [BENCH_USER, Date.now()],
  )
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => from + n)
    const values = [
      numbers.map(uuidOf),
      numbers.map(codeOf),
      numbers.map((n) => `https://example.com/some/page?number=${n}`),
    ]
    await client.query(
      `insert into links (uuid, workspace_uuid, domain, short_code, url, custom, redirect, clicks, bot_clicks, created_at, updated_at)
        select uuid, '${owner}', '', code, url, 0, 302, 0, 0, 0, 0
        from unnest($1::text[], $2::text[], $3::text[]) as t (uuid, code, url)`,
      values,
    )
    await client.query(
      `insert into short_codes (domain, short_code, link_uuid, created_at)
        select '', code, uuid, 0 from unnest($1::text[], $2::text[]) as t (uuid, code)`,
      values.slice(0, 2),
    )
  }
  await client.query('vacuum analyze links')
  await client.query('vacuum analyze short_codes')
  await client.end()
}
