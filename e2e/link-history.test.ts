import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Waymark } from './support/waymark.ts'

const link = 'https://example.com/'

/** A domain goes while links had it once only when it changes hands, which takes name servers. */
const loseDomain = async ({ env, dataDir }: Waymark, name: string): Promise<void> => {
  if (env['DATABASE_URL'] === undefined) {
    const db = new Sqlite(join(dataDir, 'waymark.db'))
    db.prepare('delete from domains where name = ?').run(name)
    db.close()
    return
  }
  const db = new Client({ connectionString: env['DATABASE_URL'] })
  await db.connect()
  await db.query('delete from domains where name = $1', [name])
  await db.end()
}

onStack('embedded', (waymark) => {
  it('a link tells its history, and goes back in it', async () => {
    const account = await waymark().account()
    const { data } = (await post(waymark(), account, '/v1/generate-link', { link })).body
    const { uuid, code } = data
    await post(waymark(), account, '/v1/edit-links', { uuid, link: `${link}new` })
    const locationOf = async () =>
      (await fetch(`${waymark().url}/${code}`, { redirect: 'manual' })).headers.get('location')
    expect(await locationOf()).toBe(`${link}new`)
    const { status, body } = await get(waymark(), account, `/v1/link-history?uuid=${uuid}`)
    expect([status, body.meta]).toEqual([200, { count: 2, total: 2, next_cursor: null }])
    expect(body.data).toMatchObject([
      { link: `${link}new`, current: true, cause: { type: 'key' } },
      { link, current: false, cause: { type: 'created', name: null } },
    ])
    const reverted = await post(waymark(), account, '/v1/revert-link', {
      uuid,
      version: body.data[1].version,
    })
    expect([reverted.status, reverted.body.data.link]).toEqual([200, link])
    expect(await locationOf()).toBe(link)
    const unknown = await post(waymark(), account, '/v1/revert-link', { uuid, version: 'none' })
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['version']])
    const stranger = await waymark().account()
    expect((await get(waymark(), stranger, `/v1/link-history?uuid=${uuid}`)).status).toBe(404)
  })
  it('goes back to a version on another domain, unless that domain is gone', async () => {
    const account = await waymark().account()
    const domain = 'go.history.example'
    expect((await waymark().cli('domain', 'add', domain, '--email', account.email)).code).toBe(0)
    const send = (path: string, fields: object) => post(waymark(), account, path, { ...fields })
    const { uuid } = (await send('/v1/generate-link', { link, domain })).body.data
    const moved = await send('/v1/edit-links', { uuid, link, domain: null })
    expect([moved.status, moved.body.data.domain]).toEqual([200, 'localhost'])
    const history = (await get(waymark(), account, `/v1/link-history?uuid=${uuid}`)).body.data
    const { version } = history.at(-1)
    expect(history.at(-1).domain).toBe(domain)
    const back = await send('/v1/revert-link', { uuid, version })
    expect([back.status, back.body.data.domain]).toEqual([200, domain])
    await send('/v1/edit-links', { uuid, link, domain: null })
    expect((await send('/v1/remove-domain', { name: domain })).status).toBe(409)
    await loseDomain(waymark(), domain)
    const { status, body } = await send('/v1/revert-link', { uuid, version })
    expect([status, body.errors]).toEqual([422, { domain: ['Must be the name of an existing domain'] }])
    const [now] = (await get(waymark(), account, `/v1/links?uuid=${uuid}`)).body.data
    expect([now.domain, now.link]).toEqual(['localhost', link])
  })
})
