import { expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

interface Listed {
  readonly uuid: string
  readonly link: string
  readonly tags: string[]
  readonly archived: boolean
  readonly expire: string | null
  readonly short_url: string
}

forEachStack((waymark, stack) => {
  const make = async (who: Account, count: number, fields: object = {}): Promise<Listed[]> => {
    const links = Array.from({ length: count }, (_, n) => ({ link: `https://example.com/${n}`, ...fields }))
    const made = await post(waymark(), who, '/v1/generate-links', { links })
    expect(made.status).toBe(201)
    return made.body.data
  }
  const edit = (who: Account, body: object) =>
    post(waymark(), who, '/v1/bulk-edit-links', body as Record<string, unknown>)
  const list = async (who: Account, query = ''): Promise<Listed[]> =>
    (await get(waymark(), who, `/v1/links?limit=1000&${query}`)).body.data
  const total = async (who: Account, query: string): Promise<number> =>
    (await get(waymark(), who, `/v1/links?limit=1&${query}`)).body.meta.total
  const stateOf = async (who: Account, uuid: string) => {
    const { data } = (await get(waymark(), who, `/v1/bulk-edits?uuid=${uuid}`)).body
    const { state, total: all, processed, changed, skipped, undoable } = data[0]
    return { state, total: all, processed, changed, skipped, undoable }
  }
  const ended = (who: Account, uuid: string, state: string) =>
    expect.poll(async () => (await stateOf(who, uuid)).state).toBe(state)
  const statusOf = async (address: string): Promise<number> =>
    (await fetch(address, { redirect: 'manual' })).status

  it('changes named links at once, and counts those that it skipped', async () => {
    const person = await waymark().account()
    const [a, b, c] = await make(person, 3, { tags: ['old', 'kept'] })
    const uuids = [a?.uuid, b?.uuid, a?.uuid]
    const tagged = await edit(person, { uuids, change: { add_tags: ['new'], remove_tags: ['old', 'none'] } })
    expect(tagged.status).toBe(200)
    expect(tagged.body).toMatchObject({
      message: 'Links changed',
      data: { state: 'done', total: 2, processed: 2, changed: 2, skipped: 0, filter: null, undoable: true },
    })
    expect((await list(person, 'order=asc')).map(({ tags }) => tags.join(' '))).toEqual([
      'kept new',
      'kept new',
      'old kept',
    ])
    expect(await total(person, 'tag=new')).toBe(2)

    await edit(person, { uuids: [b?.uuid], change: { archived: true } })
    const all = [a?.uuid, b?.uuid, c?.uuid]
    const again = await edit(person, { uuids: all, change: { archived: true, expire_now: true } })
    expect(again.body.data).toMatchObject({ changed: 3, skipped: 0 })
    const nothing = await edit(person, { uuids: all, change: { archived: true } })
    expect(nothing.body.data).toMatchObject({ changed: 0, skipped: 3 })
    for (const link of [a, b, c]) expect(await statusOf(link?.short_url ?? '')).toBe(410)
    const history = await get(waymark(), person, `/v1/link-history?uuid=${a?.uuid}`)
    expect(history.body.data).toHaveLength(2)

    const unexpired = await edit(person, { uuids: all, change: { expire: null } })
    expect(unexpired.body.data).toMatchObject({ changed: 3, change: { expire: null } })
    await expect.poll(() => statusOf(a?.short_url ?? '')).toBe(302)
  })

  it('changes all named links or none, and only those of the account', async () => {
    const [person, other] = [await waymark().account(), await waymark().account()]
    const [mine, foreign] = [await make(person, 2), await make(other, 1)]
    for (const uuid of ['no-such-link', foreign[0]?.uuid]) {
      const refused = await edit(person, { uuids: [mine[0]?.uuid, uuid], change: { archived: true } })
      expect([refused.status, refused.body.error]).toEqual([404, `There is no such link: ${uuid}`])
    }
    expect(await total(person, 'state=archived')).toBe(0)
    const qr = await post(waymark(), person, '/v1/generate-qr', {
      url: 'https://example.com/qr',
      pattern: 'squares',
      dynamic: true,
    })
    const [part] = await list(person, `search=${qr.body.data.short_url.split('/').at(-1)}`)
    const removal = await edit(person, { uuids: [mine[0]?.uuid, part?.uuid], change: { remove: true } })
    expect(removal.status).toBe(409)
    expect(await total(person, '')).toBe(3)
    // Where all links of a filter are removed, those of other resources stay.
    const { body } = await edit(person, { filter: {}, change: { remove: true } })
    await ended(person, body.data.uuid, 'done')
    expect(await stateOf(person, body.data.uuid)).toMatchObject({ total: 3, changed: 2, skipped: 1 })
    expect((await list(person)).map(({ uuid }) => uuid)).toEqual([part?.uuid])
    expect((await get(waymark(), person, '/v1/trash')).body.meta.total).toBe(2)
    const foreignUndo = await post(waymark(), other, '/v1/undo-bulk-edit', { uuid: body.data.uuid })
    expect(foreignUndo.status).toBe(404)
    await post(waymark(), person, '/v1/undo-bulk-edit', { uuid: body.data.uuid })
    await ended(person, body.data.uuid, 'undone')
    expect(await total(person, '')).toBe(3)
    expect(await statusOf(mine[0]?.short_url ?? '')).toBe(302)
  })

  it('changes all links of a filter in the background, and takes that back', async () => {
    const person = await waymark().account()
    for (const tag of ['shop', 'shop', 'blog']) await make(person, 120, { tags: [tag] })
    const full = Array.from({ length: 20 }, (_, n) => `t${n}`)
    const [crowded] = await make(person, 1, { tags: [...full.slice(1), 'shop'] })
    const begun = await edit(person, {
      filter: { tag: 'shop', state: 'active' },
      change: { add_tags: ['sale'], archived: true },
    })
    expect(begun.body).toMatchObject({
      message: 'The links are being changed',
      data: { state: 'running', total: 241, filter: { tag: 'shop', state: 'active' } },
    })
    const { uuid } = begun.body.data
    const [late] = await make(person, 1, { tags: ['shop'] })
    await ended(person, uuid, 'done')
    expect(await stateOf(person, uuid)).toEqual({
      state: 'done',
      total: 241,
      processed: 241,
      changed: 240,
      skipped: 1,
      undoable: true,
    })
    expect(await total(person, 'tag=sale')).toBe(240)
    expect(await total(person, 'state=archived')).toBe(240)
    expect(await total(person, `uuid=${crowded?.uuid}&state=active`)).toBe(1)
    expect(await total(person, `uuid=${late?.uuid}&state=active`)).toBe(1)

    // What was changed since stays.
    const [touched] = await list(person, 'tag=sale')
    await post(waymark(), person, '/v1/edit-links', {
      ...pick(touched),
      archived: false,
      tags: ['mine', 'sale'],
    })
    await post(waymark(), person, '/v1/undo-bulk-edit', { uuid })
    await ended(person, uuid, 'undone')
    expect(await total(person, 'state=archived')).toBe(0)
    expect(await total(person, 'tag=sale')).toBe(0)
    expect(await total(person, 'tag=shop')).toBe(241)
    expect((await list(person, 'tag=mine'))[0]?.tags).toEqual(['mine'])
    const again = await post(waymark(), person, '/v1/undo-bulk-edit', { uuid })
    expect(again.status).toBe(409)
    expect((await stateOf(person, uuid)).undoable).toBe(false)
  })

  const pick = (link: Listed | undefined) => ({ uuid: link?.uuid, link: link?.link })

  // Jobs go on in the same way on SQLite: imports.test.ts.
  it.runIf(stack === 'servers')(
    'goes on after kill -9, and so does its undo: every link is changed once',
    async () => {
      const person = await waymark().account()
      const count = 3_000
      for (let made = 0; made < count; made += 1_000) await make(person, 1_000, { tags: ['kept'] })
      const { uuid } = (await edit(person, { filter: {}, change: { add_tags: ['sale'] } })).body.data
      // At least a batch must have been changed, or the kill would cut off nothing.
      await expect
        .poll(async () => (await stateOf(person, uuid)).processed, { interval: 20 })
        .toBeGreaterThan(0)
      await waymark().end('SIGKILL')
      await waymark().restart()
      await ended(person, uuid, 'done')
      expect(await stateOf(person, uuid)).toMatchObject({ processed: count, changed: count, skipped: 0 })
      expect(await total(person, 'tag=sale')).toBe(count)
      const tags = (await list(person, 'tag=sale')).map((link) => link.tags.join(' '))
      expect(new Set(tags)).toEqual(new Set(['kept sale']))
      await post(waymark(), person, '/v1/undo-bulk-edit', { uuid })
      await waymark().end('SIGKILL')
      await waymark().restart()
      await ended(person, uuid, 'undone')
      expect([await total(person, 'tag=sale'), await total(person, 'tag=kept')]).toEqual([0, count])
    },
    300_000,
  )

  it('422 for what cannot be meant', async () => {
    const person = await waymark().account()
    const uuids = ['a']
    for (const [body, field] of [
      [{ change: { archived: true } }, 'uuids'],
      [{ uuids, filter: {}, change: { archived: true } }, 'uuids'],
      [{ uuids: [], change: { archived: true } }, 'uuids'],
      [{ uuids: Array.from({ length: 1001 }, String), change: { archived: true } }, 'uuids'],
      [{ uuids }, 'change'],
      [{ uuids, change: {} }, 'change'],
      [{ uuids, change: { archived: null } }, 'change'],
      [{ uuids, change: { remove: true, archived: true } }, 'change'],
      [{ uuids, change: { expire: '2999-01-01', expire_now: true } }, 'change'],
      [{ uuids, change: { expire: '2001-01-01' } }, 'change.expire'],
      [{ filter: { state: 'gone' }, change: { archived: true } }, 'filter.state'],
    ] as const) {
      const refused = await edit(person, body)
      expect([refused.status, Object.keys(refused.body.errors ?? {})], JSON.stringify(body)).toEqual([
        422,
        [field],
      ])
    }
  })
})
