import { describe, expect, it } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { readTagsCell, settledTags, tagsCell } from './link-fields.ts'

const TO = 'https://example.com/there'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const links = () => services().modules.links.service

  it('links have several tags, are found by each, and each is counted', async () => {
    const user = await services().newUser()
    const one = await links().create(user, { link: TO, tags: ['b', 'a'] })
    const two = await links().create(user, { link: TO, tag: 'a' })
    expect([one.tag, one.tags, two.tag, two.tags]).toEqual(['b', ['b', 'a'], 'a', ['a']])
    const found = async (tag: string) => (await links().list(user, { tag })).items.map(({ uuid }) => uuid)
    expect(await found('a')).toEqual([two.uuid, one.uuid])
    expect(await found('b')).toEqual([one.uuid])
    expect(await links().tags(user)).toEqual([
      { tag: 'a', links: 2 },
      { tag: 'b', links: 1 },
    ])
    expect((await links().list(user, { search: 'B' })).items.map(({ uuid }) => uuid)).toContain(one.uuid)
    expect(await links().list(user, { tag: 'a', limit: 1 })).toMatchObject({ total: 2 })
  })

  it.each([
    ['another tag replaces the first', { tag: 'c' }, ['c', 'b']],
    ['the second tag becomes the first', { tag: 'b' }, ['b']],
    ['an unchanged tag changes nothing', { tag: 'a' }, ['a', 'b']],
    ['null clears all', { tag: null }, []],
    ['tags replace all', { tags: ['x', 'y'] }, ['x', 'y']],
    ['null tags clear all', { tags: null }, []],
    ['nothing changes nothing', {}, ['a', 'b']],
  ])('%s', async (_name, fields, expected) => {
    const user = await services().newUser()
    const { uuid } = await links().create(user, { link: TO, tags: ['a', 'b'] })
    const edited = await links().edit(user, { uuid, link: TO, ...fields }, undefined)
    expect([edited.tag, edited.tags]).toEqual([expected[0] ?? null, expected])
    expect((await links().tags(user)).map(({ tag }) => tag)).toEqual([...expected].sort())
  })

  it('a removed link is removed from its tags', async () => {
    const user = await services().newUser()
    const { uuid } = await links().create(user, { link: TO, tags: ['a'] })
    await links().owned.remove(user, { uuid })
    expect(await links().tags(user)).toEqual([])
  })

  it('an expired link can be sent back as it was returned, but not given another past date', async () => {
    const user = await services().newUser()
    const { uuid } = await links().create(user, { link: TO, archived: true, forward_query: true })
    const { db } = services().core
    await db.write(() =>
      db.sql.updateTable('links').set({ expires_at: 5, starts_at: 3 }).where('uuid', '=', uuid).execute(),
    )
    const edit = (fields: object) => links().edit(user, { uuid, link: TO, ...fields }, undefined)
    expect(await edit({ expire: 5, title: 'kept' })).toMatchObject({
      title: 'kept',
      archived: true,
      forward_query: true,
      starts_at: '1970-01-01T00:00:00.003Z',
      expire: '1970-01-01T00:00:00.005Z',
      imported_clicks: 0,
    })
    await expect(edit({ expire: 6 })).rejects.toMatchObject({
      errors: { expire: ['Must not be in the past'] },
    })
    await expect(edit({ starts_at: 7 })).rejects.toMatchObject({
      errors: { starts_at: ['Must be before expire'] },
    })
  })

  it('rules and variants are stored unchanged, and checked for loops', async () => {
    const user = await services().newUser()
    const rules = [{ if: { country: ['DE'] }, to: TO }]
    const variants = [
      { url: TO, weight: 1, name: 'A' },
      { url: TO, weight: 2, name: 'B' },
    ]
    const link = await links().create(user, { link: TO, rules, variants })
    expect(await links().owned.get(user, link.uuid)).toMatchObject({ rules, variants })
    const loop = 'https://way.example/anything'
    await expect(
      links().create(user, {
        link: TO,
        rules: [{ if: {}, to: loop }],
        variants: [variants[0]!, { url: loop, weight: 1, name: 'B' }],
      }),
    ).rejects.toMatchObject({
      errors: {
        'rules.0.to': ['Must not lead to a short link of this service'],
        'variants.1.url': ['Must not lead to a short link of this service'],
      },
    })
    expect(
      await links().edit(user, { uuid: link.uuid, link: TO, rules: null, variants: [] }, undefined),
    ).toMatchObject({
      rules: [],
      variants: [],
    })
  })
})

describe('a cell of tags', () => {
  it.each([[['a']], [['a', 'b c']], [['a,b', 'c']], [['[x]']], [['"']], [[' a']], [[]], [['', 'x']]])(
    '%j comes back',
    (tags) => {
      const cell = tagsCell(tags)
      expect(readTagsCell(cell)).toEqual(tags)
    },
  )

  it('can use separators of other services', () => {
    for (const cell of ['a,b', 'a; b', 'a|b', ' a , b ,']) expect(readTagsCell(cell)).toEqual(['a', 'b'])
    expect(readTagsCell('[broken')).toBe('[broken')
  })
})

it('null of one field and a value of the other is the value, in a new link', () => {
  expect(settledTags({ tag: 'a', tags: null }, [])).toEqual({ tag: 'a', tags: ['a'] })
  expect(settledTags({ tag: null, tags: ['a'] }, [])).toEqual({ tag: 'a', tags: ['a'] })
})
