import type { Query } from '@waymark/contract/schemas'
import { describe, expect, it } from 'vitest'
import { readTotal } from '../../storage/db/totals.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'

const TO = 'https://example.com/there'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const links = () => services().modules.links.service
  let names = 0
  const newName = (): string => `name-${++names}`

  describe('create', () => {
    it('returns the link with its defaults, counts it and records it', async () => {
      const { user, events } = await services().newSubscriber()
      const link = await links().create(user, { link: TO })
      expect(link).toMatchObject({
        link: TO,
        customLink: null,
        redirect: 302,
        expire: null,
        max_clicks: null,
        has_password: false,
        short_url: `https://way.example/${link.code}`,
        clicks: 0,
        owner: null,
      })
      expect(await links().owned.get(user, link.uuid)).toEqual(link)
      expect(await readTotal(services().core.db, user, 'links')).toBe(1)
      expect(await events()).toEqual(['link.created'])
    })

    it('accepts a short code once, for any account, and notifies every process', async () => {
      const [user, other] = [await services().newUser(), await services().newUser()]
      const customLink = newName()
      services().changedTargets()
      expect(await links().create(user, { link: TO, customLink })).toMatchObject({
        code: customLink,
        customLink,
      })
      expect(services().changedTargets()).toEqual([customLink])
      await expect(links().create(other, { link: TO, customLink })).rejects.toMatchObject({
        code: 'code_taken',
        errors: { customLink: ['This short code is taken'] },
      })
      expect(services().changedTargets()).toEqual([])
      expect(await services().countRows('links', other)).toBe(0)
      expect(await readTotal(services().core.db, other, 'links')).toBe(0)
    })

    it.each(['link', 'ios_url', 'android_url'] as const)('rejects a loop through %s', async (field) => {
      const user = await services().newUser()
      const loop = { link: TO, [field]: 'https://way.example/anything' }
      await expect(links().create(user, loop)).rejects.toMatchObject({
        errors: { [field]: ['Must not lead to a short link of this service'] },
      })
    })

    it('never creates a link on a domain of another user', async () => {
      const user = await services().newUser()
      await expect(links().create(user, { link: TO, domain: 'go.example' })).rejects.toMatchObject({
        code: 'validation',
        errors: { domain: [expect.any(String)] },
      })
    })
  })

  describe('createMany', () => {
    it('creates all or none, and reports errors with their place', async () => {
      const { user, events } = await services().newSubscriber()
      const customLink = newName()
      const inputs = [{ link: TO }, { link: TO, customLink }, { link: TO, customLink }]
      await expect(links().createMany(user, inputs, [])).rejects.toMatchObject({
        code: 'code_taken',
        errors: { 'links.2.customLink': ['This short code is taken'] },
      })
      expect([await services().countRows('links', user), await events()]).toEqual([0, []])
      const made = await links().createMany(user, inputs.slice(0, 2), [{ passwordHash: 'a hash' }])
      expect(made.map(({ has_password }) => has_password)).toEqual([true, false])
      expect(await events()).toEqual(['link.created', 'link.created'])
      expect(await readTotal(services().core.db, user, 'links')).toBe(2)
    })
  })

  describe('edit', () => {
    it('changes the given fields, and notifies every process', async () => {
      const { user, events } = await services().newSubscriber()
      const made = await links().create(
        user,
        { link: TO, description: 'kept', tag: 'old' },
        { passwordHash: 'a hash' },
      )
      services().changedTargets()
      const edited = await links().edit(user, { uuid: made.uuid, link: `${TO}/2`, tag: null }, undefined)
      expect(edited).toMatchObject({
        link: `${TO}/2`,
        description: 'kept',
        tag: null,
        has_password: true,
        code: made.code,
      })
      expect(services().changedTargets()).toContain(made.code)
      expect(await events()).toEqual(['link.created', 'link.edited'])
      const open = await links().edit(user, { uuid: made.uuid, link: TO }, { passwordHash: null })
      expect(open.has_password).toBe(false)
    })

    it('keeps earlier short codes, and allows the link to use them again', async () => {
      const user = await services().newUser()
      const [first, second] = [newName(), newName()]
      const { uuid } = await links().create(user, { link: TO, customLink: first })
      expect((await links().edit(user, { uuid, link: TO, customLink: second }, undefined)).code).toBe(second)
      // The first name still belongs to the link, so another link cannot have it.
      await expect(links().create(user, { link: TO, customLink: first })).rejects.toMatchObject({
        code: 'code_taken',
      })
      expect((await links().edit(user, { uuid, link: TO, customLink: first }, undefined)).code).toBe(first)
      const random = await links().edit(user, { uuid, link: TO, customLink: null }, undefined)
      expect([random.customLink, random.code === first]).toEqual([null, false])
    })

    it('finds no link of another user', async () => {
      const [user, other] = [await services().newUser(), await services().newUser()]
      const { uuid } = await links().create(user, { link: TO })
      const missing = { code: 'not_found', message: 'There is no such link' }
      await expect(links().edit(other, { uuid, link: TO }, undefined)).rejects.toMatchObject(missing)
      await expect(links().owned.remove(other, { uuid })).rejects.toMatchObject(missing)
      await expect(links().owned.get(other, uuid)).rejects.toMatchObject(missing)
      expect((await links().owned.get(user, uuid)).link).toBe(TO)
    })
  })

  describe('remove', () => {
    it('moves the link to the trash, and keeps its short codes reserved', async () => {
      const { user, events } = await services().newSubscriber()
      const customLink = newName()
      const { uuid } = await links().create(user, { link: TO, customLink })
      services().changedTargets()
      expect(await links().owned.remove(user, { uuid })).toEqual({ uuid })
      expect(services().changedTargets()).toEqual([customLink])
      expect(await events()).toEqual(['link.created', 'link.removed'])
      expect(await readTotal(services().core.db, user, 'links')).toBe(0)
      await expect(links().create(user, { link: TO, customLink })).rejects.toMatchObject({
        code: 'code_taken',
      })
      expect(await services().countRows('links', user)).toBe(1)
    })

    it('erases the link on request, and leaves only a tombstone', async () => {
      const user = await services().newUser()
      const customLink = newName()
      const { uuid } = await links().create(user, { link: TO, customLink })
      await links().owned.remove(user, { uuid, permanent: true })
      expect(await services().countRows('links', user)).toBe(0)
      expect(await services().core.tombstones.has(['code', '', customLink])).toBe(true)
    })
  })

  describe('a link of another resource', () => {
    const owner = { type: 'qrcode', uuid: '00000000-0000-7000-8000-000000000001' } as const

    it('is changed and removed only by its owner', async () => {
      const { core } = services()
      const user = await services().newUser()
      const row = await core.db.write(() => links().createOwned(user, owner, { url: TO }))
      expect((await links().owned.get(user, row.uuid)).owner).toEqual(owner)
      const owned = { code: 'link_owned' }
      await expect(links().owned.remove(user, { uuid: row.uuid })).rejects.toMatchObject(owned)
      const move = { uuid: row.uuid, link: `${TO}/2` }
      await expect(links().edit(user, move, undefined)).rejects.toMatchObject(owned)
      const described = { uuid: row.uuid, link: TO, description: 'mine' }
      expect((await links().edit(user, described, undefined)).description).toBe('mine')
      await core.db.write(() => links().redirectOwned(user, row.uuid, `${TO}/3`))
      expect((await links().owned.get(user, row.uuid)).link).toBe(`${TO}/3`)
      await core.db.write(() => links().owned.endParts(user, [row.uuid]))
      expect(await services().countRows('links', user)).toBe(0)
    })
  })

  describe('list', () => {
    it('has pages, newest first, with the total', async () => {
      const user = await services().newUser()
      for (const n of [1, 2, 3]) await links().create(user, { link: `${TO}/${n}` })
      const first = await links().list(user, { limit: 2 })
      expect([first.items.map(({ link }) => link), first.total]).toEqual([[`${TO}/3`, `${TO}/2`], 3])
      const rest = await links().list(user, { limit: 2, cursor: first.nextCursor ?? '' })
      expect([rest.items.map(({ link }) => link), rest.nextCursor]).toEqual([[`${TO}/1`], null])
      await expect(links().list(user, { cursor: 'nonsense' })).rejects.toMatchObject({
        code: 'cursor_invalid',
      })
    })

    describe('sorted or filtered', () => {
      const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']
      const ended = { a: {}, b: { expires_at: 1 }, c: { max_clicks: 2 }, d: { max_clicks: 2 }, e: {}, f: {} }
      const clicks = { a: 0, b: 3, c: 5, d: 1, e: 3, f: 0 }

      const furnished = async (): Promise<string> => {
        const { core } = services()
        const user = await services().newUser()
        for (const name of NAMES) {
          const { uuid } = await links().create(user, { link: `${TO}/${name}` })
          const count = clicks[name as keyof typeof clicks]
          const columns = {
            clicks: count,
            last_click_at: count === 0 ? null : count * 1_000,
            ...ended[name as keyof typeof ended],
          }
          await core.db.write(async () => {
            await core.db.sql.updateTable('links').set(columns).where('uuid', '=', uuid).execute()
            const used = { link_uuid: uuid, used: count }
            if ('max_clicks' in columns) await core.db.sql.insertInto('limited_clicks').values(used).execute()
          })
        }
        return user
      }

      /** The names of all links of a list, read one link at a time. */
      const walked = async (user: string, request: Query<'links'>) => {
        const names: string[] = []
        const totals = new Set<number>()
        for (let cursor: string | undefined; ;) {
          const page = await links().list(user, { ...request, limit: 1, cursor })
          names.push(...page.items.map(({ link }) => link.slice(TO.length + 1)))
          totals.add(page.total)
          if (page.nextCursor === null) return [names.join(''), ...totals]
          cursor = page.nextCursor
        }
      }

      it('sorts by clicks and by the last click, then by age', async () => {
        const user = await furnished()
        expect(await walked(user, { sort: 'created_at' })).toEqual(['fedcba', 6])
        expect(await walked(user, { sort: 'created_at', order: 'asc' })).toEqual(['abcdef', 6])
        for (const sort of ['clicks', 'last_click_at'] as const) {
          expect(await walked(user, { sort })).toEqual(['cebdfa', 6])
          expect(await walked(user, { sort, order: 'asc' })).toEqual(['afdbec', 6])
        }
      })

      it('distinguishes active links from expired or used-up ones', async () => {
        const user = await furnished()
        expect(await walked(user, { state: 'all' })).toEqual(['fedcba', 6])
        expect(await walked(user, { state: 'active' })).toEqual(['feda', 4])
        expect(await walked(user, { state: 'expired' })).toEqual(['cb', 2])
        expect(await walked(user, { state: 'active', sort: 'clicks', order: 'asc' })).toEqual(['afde', 4])
        expect(await walked(user, { state: 'expired', sort: 'clicks' })).toEqual(['cb', 2])
        expect(await walked(user, { state: 'active', search: `${TO}/a` })).toEqual(['a', 1])
        expect(await walked(user, { state: 'expired', search: `${TO}/a` })).toEqual(['', 0])
        for (const { uuid, link } of (await links().list(user, {})).items)
          if (/[abe]$/.test(link)) await links().edit(user, { uuid, link, archived: true }, undefined)
        expect(await walked(user, {})).toEqual(['fedcba', 6])
        expect(await walked(user, { state: 'archived' })).toEqual(['eba', 3])
        expect(await walked(user, { state: 'active' })).toEqual(['fd', 2])
        expect(await walked(user, { state: 'expired' })).toEqual(['cb', 2])
      })
    })

    it('searches and filters by tag, and counts the results', async () => {
      const user = await services().newUser()
      await links().create(user, { link: `${TO}/Apple`, tag: 'fruit' })
      await links().create(user, { link: `${TO}/pear`, tag: 'fruit' })
      await links().create(user, { link: `${TO}/leek`, description: 'no APPLE', tag: 'other' })
      const found = async (request: object) => {
        const { items, total } = await links().list(user, request)
        return [items.map(({ link }) => link.slice(TO.length + 1)), total]
      }
      expect(await found({ search: 'apple' })).toEqual([['leek', 'Apple'], 2])
      expect(await found({ tag: 'fruit' })).toEqual([['pear', 'Apple'], 2])
      expect(await found({ search: 'apple', tag: 'fruit' })).toEqual([['Apple'], 1])
      expect(await links().tags(user)).toEqual([
        { tag: 'fruit', links: 2 },
        { tag: 'other', links: 1 },
      ])
    })
  })

  it('erases only the links of a deleted user, in batches', async () => {
    const { core } = services()
    const [user, other] = [await services().newUser(), await services().newUser()]
    const { code } = await links().create(user, { link: TO })
    await links().create(other, { link: TO })
    const erase = () => core.db.write(() => links().owned.eraseSome(user))
    expect([await erase(), await erase()]).toEqual([true, false])
    expect(await services().countRows('links', user)).toBe(0)
    expect(await services().countRows('links', other)).toBe(1)
    await expect(links().create(other, { link: TO, customLink: code })).rejects.toMatchObject({
      code: 'code_taken',
    })
  })
})
