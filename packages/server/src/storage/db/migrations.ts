import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
import * as accounts from './0001_accounts.ts'
import * as links from './0002_links.ts'
import * as clicks from './0003_clicks.ts'
import * as codes from './0004_codes.ts'
import * as pages from './0005_pages.ts'
import * as utm from './0006_utm.ts'
import * as leases from './0007_leases.ts'
import * as webhooks from './0008_webhooks.ts'

export interface Migration {
  readonly name: string
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

/** In the order in which they run; one that was released is never edited. */
export const migrations: readonly Migration[] = [accounts, links, clicks, codes, pages, utm, leases, webhooks]
