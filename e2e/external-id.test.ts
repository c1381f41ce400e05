import { describe, expect, it } from 'vitest'
import { get, multipart, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'

const link = 'https://example.com/'

// On both stacks and with two processes, because a unique index decides between concurrent requests.
forEachStack(
  (waymark) => {
    const furnished = async () => {
      const account = await waymark().account()
      const call = async (path: string, fields: Record<string, unknown>) =>
        post(waymark(), account, path, fields)
      const create = async (fields: Record<string, unknown> = {}) =>
        call('/v1/generate-link', { link, ...fields })
      const find = async (id: string) =>
        (await get(waymark(), account, `/v1/links?external_id=${encodeURIComponent(id)}`)).body
      return { account, call, create, find }
    }

    describe('external_id', () => {
      it('finds a link, and is unique in its workspace', async () => {
        const { call, create, find } = await furnished()
        const id = 'Order 7/ü'
        const { uuid } = (await create({ external_id: id })).body.data
        await create()
        const found = await find(id)
        expect([found.meta.total, found.data[0].uuid, found.data[0].external_id]).toEqual([1, uuid, id])
        expect((await find('order 7/ü')).data).toEqual([])
        const again = await create({ external_id: id })
        expect([again.status, Object.keys(again.body.errors)]).toEqual([409, ['external_id']])
        const other = (await create()).body.data
        const edited = await call('/v1/edit-links', { uuid: other.uuid, link, external_id: id })
        expect([edited.status, Object.keys(edited.body.errors)]).toEqual([409, ['external_id']])
        const many = await call('/v1/generate-links', { links: [{ link }, { link, external_id: id }] })
        expect([many.status, Object.keys(many.body.errors)]).toEqual([409, ['links.1.external_id']])
        const twice = [
          { link, external_id: 'x' },
          { link, external_id: 'x' },
        ]
        const both = await call('/v1/generate-links', { links: twice })
        expect([both.status, Object.keys(both.body.errors)]).toEqual([409, ['links.1.external_id']])
        expect((await (await furnished()).create({ external_id: id })).status).toBe(201)
        await call('/v1/edit-links', { uuid, link, external_id: null })
        expect((await create({ external_id: id })).status).toBe(201)
      })

      it('is free while its link is in the trash, which then cannot be restored', async () => {
        const { call, create } = await furnished()
        const { uuid } = (await create({ external_id: 'a' })).body.data
        await call('/v1/remove-links', { uuid })
        const next = await create({ external_id: 'a' })
        expect(next.status).toBe(201)
        const restored = await call('/v1/restore', { uuids: [uuid] })
        expect([restored.status, Object.keys(restored.body.errors)]).toEqual([409, ['external_id']])
        await call('/v1/edit-links', { uuid: next.body.data.uuid, link, external_id: 'b' })
        expect((await call('/v1/restore', { uuids: [uuid] })).status).toBe(200)
      })

      it('is given to one of many concurrent links', async () => {
        const { create } = await furnished()
        const made = await Promise.all(Array.from({ length: 20 }, () => create({ external_id: 'race' })))
        expect(Map.groupBy(made, ({ status }) => status).get(201)).toHaveLength(1)
        expect(made.filter(({ status }) => status === 409)).toHaveLength(19)
      })

      it('is imported and exported, but not twice', async () => {
        const { account, create, find } = await furnished()
        await create({ external_id: 'known' })
        const row = (id: string) => `https://example.com/${id},${id}\n`
        const value = `link,externalId\n${row('new')}${row('known')}${row('new')}`
        const file = multipart([{ name: 'file', value, filename: 'links.csv', type: 'text/csv' }])
        const rejected = await post(waymark(), account, '/v1/import-links', file)
        expect([rejected.status, rejected.body.errors.file]).toEqual([
          422,
          [
            'Line 3, externalId: Another link has this external_id',
            'Line 4, externalId: Another link has this external_id',
          ],
        ])
        const good = multipart([
          { name: 'file', value: `link,externalId\n${row('new')}`, filename: 'links.csv', type: 'text/csv' },
        ])
        expect((await post(waymark(), account, '/v1/import-links', good)).status).toBe(201)
        expect((await find('new')).data[0].link).toBe('https://example.com/new')
        const csv = String((await get(waymark(), account, '/v1/export-links')).body)
        expect(csv).toMatch(/https:\/\/example.com\/new,.*,new,/)
      })

      it('has 1 to 128 characters', async () => {
        const { create } = await furnished()
        for (const wrong of ['', 'x'.repeat(129), 'a\nb'])
          expect((await create({ external_id: wrong })).status).toBe(422)
        expect((await create({ external_id: 'ü'.repeat(128) })).status).toBe(201)
      })
    })
  },
  { WORKERS: '2' },
)
