import { expect, it } from 'vitest'
import { BROWSER } from './support/pages.ts'
import { get, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

interface Listed {
  readonly title: string
  readonly clicks: number
  readonly last_click_at: string | null
}

onStack('embedded', (waymark) => {
  const create = async (who: Account, title: string, fields: object = {}): Promise<string> => {
    const link = { link: `https://example.com/${title}`, title, ...fields }
    return (await post(waymark(), who, '/v1/generate-link', link)).body.data.short_url
  }
  const visit = async (address: string): Promise<void> => {
    const response = await fetch(address, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
    expect(response.status).toBe(302)
  }
  const list = async (who: Account, query: string): Promise<Listed[]> =>
    (await get(waymark(), who, `/v1/links?${query}`)).body.data
  const titles = async (who: Account, query: string): Promise<string> =>
    (await list(who, query)).map(({ title }) => title).join('')

  it('sorts by clicks and last click, either way, through cursors', async () => {
    const person = await waymark().account()
    const addresses = new Map<string, string>()
    for (const title of ['a', 'b', 'c', 'd']) addresses.set(title, await create(person, title))
    for (const title of ['b', 'b', 'b', 'd', 'a', 'a']) await visit(addresses.get(title) ?? '')
    const clicks = async () =>
      (await list(person, 'order=asc')).map(({ title, clicks: count }) => `${title}${count}`)
    await expect.poll(clicks).toEqual(['a2', 'b3', 'c0', 'd1'])

    expect(await titles(person, '')).toBe('dcba')
    expect(await titles(person, 'sort=created_at&order=asc')).toBe('abcd')
    expect(await titles(person, 'sort=clicks')).toBe('badc')
    expect(await titles(person, 'sort=clicks&order=asc')).toBe('cdab')
    expect(await titles(person, 'sort=last_click_at')).toBe('adbc')
    expect(await titles(person, 'sort=last_click_at&order=asc')).toBe('cbda')

    for (const sort of ['clicks', 'last_click_at']) {
      const whole = await titles(person, `sort=${sort}`)
      const first = await get(waymark(), person, `/v1/links?limit=2&sort=${sort}`)
      const cursor = first.body.meta.next_cursor as string
      const rest = await titles(person, `limit=2&sort=${sort}&cursor=${cursor}`)
      expect(first.body.data.map(({ title }: Listed) => title).join('') + rest).toBe(whole)
      const otherwise = await get(waymark(), person, `/v1/links?cursor=${cursor}`)
      expect(otherwise.status).toBe(400)
    }
  })

  it('tells active links from those that are expired or used up, and counts them', async () => {
    const person = await waymark().account()
    await create(person, 'a')
    await create(person, 'b', { expire: new Date(Date.now() + 1_000).toISOString() })
    await create(person, 'c', { expire: '2999-01-01' })
    const limited = await create(person, 'd', { max_clicks: 1 })
    await create(person, 'e', { max_clicks: 2 })
    await create(person, 'f', { archived: true, starts_at: '2998-01-01T00:00:00Z' })
    await create(person, 'g', { starts_at: '2998-01-01T00:00:00Z' })
    await visit(limited)
    const states = ['all', 'active', 'expired', 'archived']
    const found = () =>
      Promise.all(
        states.map(async (state) => {
          const { data, meta } = (await get(waymark(), person, `/v1/links?state=${state}`)).body
          return `${state} ${data.map(({ title }: Listed) => title).join('')} ${meta.total}`
        }),
      )
    await expect.poll(found).toEqual(['all gfedcba 7', 'active geca 4', 'expired db 2', 'archived f 1'])
    expect(await titles(person, 'state=expired&order=asc')).toBe('bd')
    expect(await titles(person, 'state=active&search=example.com/c')).toBe('c')
  })

  it('finds a link by its short code, past and present, and exports what a filter leaves', async () => {
    const person = await waymark().account()
    await create(person, 'one', { customLink: 'first-name' })
    const listed = await get(waymark(), person, '/v1/links?search=first-name')
    const { uuid, link, code, domain } = listed.body.data[0]
    await create(person, 'other', { tags: [code] })
    await post(waymark(), person, '/v1/edit-links', { uuid, link, customLink: `${code}-new` })
    for (const query of [
      `code=${code}`,
      `code=${code}-new&domain=${domain}`,
      `uuid=${uuid}&domain=${domain}`,
    ])
      expect(await titles(person, query)).toBe('one')
    expect(await titles(person, `code=${code.slice(1)}`)).toBe('')
    expect(await titles(await waymark().account(), `code=${code}`)).toBe('')
    expect(await titles(person, 'domain=elsewhere.example')).toBe('')

    await create(person, 'put-away', { archived: true })
    const { body } = await get(waymark(), person, '/v1/export-links?state=archived')
    expect((body as string).trim().split('\n')).toHaveLength(2)
    expect(body).toContain('put-away')
    const [newest, next] = (await get(waymark(), person, '/v1/links')).body.data
    const some = await get(waymark(), person, `/v1/export-links?uuid=${newest.uuid},${next.uuid}`)
    expect((some.body as string).trim().split('\n')).toHaveLength(3)
  })

  it('422 for an order or a state that does not exist', async () => {
    const person = await waymark().account()
    for (const [name, value] of Object.entries({ sort: 'title', order: 'up', state: 'gone' })) {
      const refused = await get(waymark(), person, `/v1/links?${name}=${value}`)
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [name]])
    }
  })
})
