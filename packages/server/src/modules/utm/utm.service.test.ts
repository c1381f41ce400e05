import { expect, it } from 'vitest'
import { readTotal } from '../../storage/db/totals.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'

const TAGS = { source: 'news', medium: 'email', campaign: 'spring', content: 'top' }
const INPUT = { url: 'https://example.com/shop', ...TAGS }
const TAGGED = 'https://example.com/shop?utm_source=news&utm_medium=email&utm_campaign=spring&utm_content=top'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const utm = () => services().modules.utm.service
  const create = async (user: string, fields: object = {}) =>
    utm().create(user, await utm().tag(user, { ...INPUT, ...fields }))
  const edit = async (user: string, uuid: string, fields: object = {}) =>
    utm().edit(user, await utm().retag(user, { uuid, ...INPUT, ...fields }))

  it('tags an address, counts it and records it', async () => {
    const { user, events } = await services().newSubscriber()
    const made = await create(user)
    expect(made).toMatchObject({
      ...INPUT,
      term: null,
      utm_url: TAGGED,
      short_url: null,
      shorten: false,
      clicks: 0,
    })
    expect((await utm().owned.list(user, {})).items).toEqual([made])
    expect(await readTotal(services().core.db, user, 'utm')).toBe(1)
    expect(await events()).toEqual(['utm.created'])
  })

  it('creates, moves and removes the short link of an address', async () => {
    const { core, modules, countRows, newUser } = services()
    const user = await newUser()
    const made = await create(user, { shorten: true })
    expect(made.short_url).toMatch(/^https:\/\/way\.example\/\w{7}$/)
    const { items } = await modules.links.service.list(user, {})
    expect(items).toMatchObject([{ link: TAGGED, owner: { type: 'utm', uuid: made.uuid } }])

    const moved = await edit(user, made.uuid, { source: 'other' })
    expect([moved.short_url, moved.utm_url]).toEqual([made.short_url, TAGGED.replace('news', 'other')])
    expect((await modules.links.service.list(user, {})).items).toMatchObject([{ link: moved.utm_url }])

    expect((await edit(user, made.uuid, { shorten: false })).short_url).toBeNull()
    expect([await countRows('links', user), await readTotal(core.db, user, 'links')]).toEqual([0, 0])
  })

  it('an edit keeps an omitted term and short link', async () => {
    const user = await services().newUser()
    const made = await create(user, { term: 'shoes', shorten: true })
    const edited = await edit(user, made.uuid, { content: 'bottom' })
    expect(edited).toMatchObject({ term: 'shoes', content: 'bottom', short_url: made.short_url })
    expect((await edit(user, made.uuid, { term: '' })).term).toBeNull()
    expect(edited.updated_at > made.updated_at).toBe(true)
  })

  it('accepts only one of two edits of the same version', async () => {
    const user = await services().newUser()
    const { uuid } = await create(user)
    const [first, second] = await Promise.all([
      utm().retag(user, { uuid, ...INPUT, source: 'one' }),
      utm().retag(user, { uuid, ...INPUT, source: 'two' }),
    ])
    expect((await utm().edit(user, first)).source).toBe('one')
    await expect(utm().edit(user, second)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('warns of a spelling that differs from the user’s earlier ones', async () => {
    const [user, other] = [await services().newUser(), await services().newUser()]
    await create(user, { source: 'News' })
    const made = await create(user)
    expect(made.warnings).toEqual([expect.stringContaining('News')])
    expect((await create(other)).warnings).toEqual([])
    // An edit is not compared with itself.
    expect((await edit(other, (await create(other)).uuid)).warnings).toEqual([])
  })

  it('rejects a short link for an address that is too long for one', async () => {
    const user = await services().newUser()
    const url = `https://example.com/${'a'.repeat(2000)}`
    await expect(create(user, { url, shorten: true })).rejects.toMatchObject({
      errors: { shorten: [expect.stringContaining('2048 characters')] },
    })
    expect((await create(user, { url })).short_url).toBeNull()
  })

  it('removes an address with its short link, only for its owner', async () => {
    const { core, countRows, newUser, newSubscriber } = services()
    const [{ user, events }, other] = [await newSubscriber(), await newUser()]
    const { uuid } = await create(user, { shorten: true })
    const missing = { code: 'not_found', message: 'There is no such UTM link' }
    await expect(utm().owned.remove(other, { uuid })).rejects.toMatchObject(missing)
    await expect(utm().retag(other, { uuid, ...INPUT })).rejects.toMatchObject(missing)
    expect(await utm().owned.remove(user, { uuid, permanent: true })).toEqual({ uuid })
    expect([await countRows('utm_links', user), await countRows('links', user)]).toEqual([0, 0])
    expect(await readTotal(core.db, user, 'utm')).toBe(0)
    expect((await events()).toSorted()).toEqual([
      'link.created',
      'link.removed',
      'utm.created',
      'utm.removed',
    ])
  })

  it('searches all tags, and lists newest first', async () => {
    const user = await services().newUser()
    for (const campaign of ['one', 'Two', 'three']) await create(user, { campaign })
    const page = await utm().owned.list(user, { limit: 2 })
    expect([page.items.map(({ campaign }) => campaign), page.total]).toEqual([['three', 'Two'], 3])
    const found = await utm().owned.list(user, { search: 'two' })
    expect([found.items.map(({ campaign }) => campaign), found.total]).toEqual([['Two'], 1])
  })

  it('erases the addresses of a deleted user, in batches', async () => {
    const { core, countRows, newUser } = services()
    const [user, other] = [await newUser(), await newUser()]
    await create(user)
    await create(other)
    const erase = () => core.db.write(() => utm().owned.eraseSome(user))
    expect([await erase(), await erase()]).toEqual([true, false])
    expect([await countRows('utm_links', user), await countRows('utm_links', other)]).toEqual([0, 1])
  })
})
