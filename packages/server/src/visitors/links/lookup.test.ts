import { beforeAll, describe, expect, test } from 'vitest'
import { insertTestLink } from '../../clicks/testing.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import type { Database } from '../../storage/db/database.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import type { Target } from './decide.ts'
import { openLookup } from './open-lookup.ts'
import { toTarget } from './lookup.ts'
import type { Lookup, TargetRow } from './lookup.ts'
import { testTools } from './target.testing.ts'

const hash = (domain: string, shortCode: string) => `hash of ${domain} ${shortCode}`

forEachDatabase((_engine, open) => {
  let db: Database
  let lookup: Lookup
  let owner: string

  const find = (domain: string, shortCode: string) =>
    new Promise<Target | null>((resolve, reject) => {
      lookup.find(domain, shortCode, (error, target) => (error === null ? resolve(target) : reject(error)))
    })

  async function insertLink(shortCode: string, fields: Partial<LinkRow> = {}): Promise<string> {
    const url = `https://example.com/${shortCode}`
    const { uuid, domain } = await insertTestLink(db, {
      workspace_uuid: owner,
      short_code: shortCode,
      url,
      ...fields,
    })
    await db.write(() =>
      db.sql
        .insertInto('short_codes')
        .values({ domain, short_code: shortCode, link_uuid: uuid, created_at: 0 })
        .execute(),
    )
    return uuid
  }

  beforeAll(async () => {
    db = await open()
    owner = await insertTestUser(db)
    lookup = openLookup(db, hash, testTools)
  })

  test('finds a link by each of its codes, only under its own host', async () => {
    const uuid = await insertLink('plain')
    await db.write(() =>
      db.sql
        .insertInto('short_codes')
        .values({ domain: '', short_code: 'older', link_uuid: uuid, created_at: 0 })
        .execute(),
    )
    const expected = {
      linkId: uuid,
      url: 'https://example.com/plain',
      status: 302,
      expiresAtMs: null,
      removed: false,
      extras: null,
    }
    expect(await find('', 'plain')).toEqual(expected)
    expect(await find('', 'older')).toEqual(expected)
    expect(await find('go.example', 'plain')).toBeNull()
  })

  test('codes are case-sensitive', async () => {
    await insertLink('CaSe')
    expect(await find('', 'CaSe')).not.toBeNull()
    expect(await find('', 'case')).toBeNull()
  })

  test('one code under two hosts is two links', async () => {
    await insertLink('twice', { url: 'https://one.example/' })
    await insertLink('twice', { domain: 'go.example', url: 'https://two.example/' })
    const both = await Promise.all([find('', 'twice'), find('go.example', 'twice')])
    expect(both.map((target) => target?.url)).toEqual(['https://one.example/', 'https://two.example/'])
  })

  test('returns expiry, status and all other fields', async () => {
    const rest = { password_hash: 'h', max_clicks: 3, ios_url: 'https://ios.example/', android_url: null }
    await insertLink('full', { ...rest, starts_at: 7, expires_at: 1_794_700_000_000, redirect: 308 })
    expect(await find('', 'full')).toMatchObject({
      status: 308,
      expiresAtMs: 1_794_700_000_000,
      extras: { startsAtMs: 7, passwordHash: 'h', maxClicks: 3, routing: { vary: 'user-agent' } },
    })
  })

  test('an erased code is gone, not unknown', async () => {
    await db.write(() =>
      db.sql
        .insertInto('tombstones')
        .values({ hash: hash('', 'dead'), created_at: 0 })
        .execute(),
    )
    expect((await find('', 'dead'))?.removed).toBe(true)
    expect(await find('', 'never')).toBeNull()
    expect(await find('go.example', 'dead')).toBeNull()
  })

  test('the links of a deleted account are gone', async () => {
    const removed = await insertTestUser(db, { removed_at: 5 })
    await db.write(() =>
      db.sql
        .insertInto('erasures')
        .values({ workspace_uuid: removed, user_uuid: null, requested_at: 5 })
        .execute(),
    )
    await insertLink('theirs', { workspace_uuid: removed })
    expect((await find('', 'theirs'))?.removed).toBe(true)
  })

  test('does not wait for connections that other work occupies', async () => {
    await insertLink('busy')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    // More writes than there are connections in the pool.
    const writes = Array.from({ length: 20 }, () => db.write(() => released))
    expect(await find('', 'busy')).not.toBeNull()
    release()
    await Promise.all(writes)
  })

  test('many concurrent look-ups each return their own target', async () => {
    for (let i = 0; i < 50; i++) await insertLink(`many${i}`)
    const shortCodes = Array.from({ length: 60 }, (_, i) => `many${i}`)
    const found = await Promise.all(shortCodes.map((shortCode) => find('', shortCode)))
    expect(found.map((target) => target?.url ?? null)).toEqual(
      shortCodes.map((shortCode, i) => (i < 50 ? `https://example.com/${shortCode}` : null)),
    )
  })
})

describe('a destination that is invalid in a header', () => {
  const row = (url: string): TargetRow => [
    'id',
    url,
    302,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    0,
    null,
    null,
    'user',
    null,
    0,
  ]

  test.each([
    ['a line feed', 'https://example.com/\r\nset-cookie: a=b'],
    ['a NUL', 'https://example.com/\0'],
    ['non-ASCII', 'https://example.com/é'],
    ['a space', 'https://example.com/a b'],
  ])('%s is encoded', (_name, url) => {
    const target = toTarget(row(url), testTools)
    expect(target?.url).toMatch(/^https:\/\/example\.com\/[\x21-\x7e]*$/)
    expect(target?.url).not.toMatch(/[\r\n\0 ]/)
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    '//example.com/',
    '',
    'https://',
  ])('%s leads nowhere', (url) => {
    expect(toTarget(row(url), testTools)).toBeNull()
  })
})
