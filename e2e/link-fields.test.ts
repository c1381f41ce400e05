import { describe, expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'

const link = 'https://example.com/'

onStack('embedded', (waymark) => {
  const furnished = async () => {
    const account = await waymark().account()
    const create = async (fields: object) =>
      post(waymark(), account, '/v1/generate-link', { link, ...fields })
    const edit = async (fields: object) => post(waymark(), account, '/v1/edit-links', { link, ...fields })
    const list = async (query: Record<string, string>) =>
      get(waymark(), account, `/v1/links?${new URLSearchParams(query)}`)
    return { account, create, edit, list }
  }

  describe('title', () => {
    it('is kept, edited, cleared and searched', async () => {
      const { create, edit, list } = await furnished()
      const { uuid, title } = (await create({ title: 'Frühling 🌷' })).body.data
      expect(title).toBe('Frühling 🌷')
      expect((await edit({ uuid })).body.data.title).toBe('Frühling 🌷')
      await create({ title: 'Autumn' })
      expect((await list({ search: 'FRÜHLING' })).body.data).toMatchObject([{ uuid }])
      expect((await edit({ uuid, title: 'Summer' })).body.data.title).toBe('Summer')
      expect((await list({ search: 'summer' })).body.meta.total).toBe(1)
      expect((await edit({ uuid, title: null })).body.data.title).toBe(null)
      expect((await create({})).body.data.title).toBe(null)
    })

    it('has at most 255 code points', async () => {
      const { create } = await furnished()
      expect((await create({ title: '🌷'.repeat(255) })).body.data.title).toHaveLength(510)
      const tooLong = await create({ title: 'x'.repeat(256) })
      expect([tooLong.status, tooLong.body.errors]).toEqual([
        422,
        { title: ['Must be at most 255 characters'] },
      ])
    })
  })

  describe('short-code', () => {
    it('says whether a short code can be used, signed', async () => {
      const { account, create } = await furnished()
      const ask = async (query: Record<string, string>) =>
        (await get(waymark(), account, `/v1/short-code?${new URLSearchParams(query)}`)).body
      const { uuid, domain } = (await create({ customLink: 'asked-for' })).body.data
      expect((await ask({ code: 'asked-for', domain })).data).toEqual({
        code: 'asked-for',
        domain,
        state: 'taken',
        uuid,
      })
      expect((await ask({ code: 'not-yet' })).data).toMatchObject({ state: 'available', uuid: null })
      expect((await ask({ code: 'v1' })).data).toMatchObject({ state: 'reserved' })
      expect(Object.keys((await ask({ code: 'a b' })).errors)).toEqual(['code'])
      expect(Object.keys((await ask({ code: 'a', domain: 'nobody.example' })).errors)).toEqual(['domain'])
      const unsigned = await fetch(`${waymark().url}/v1/short-code?code=a`, {
        headers: { 'x-api-key': account.apiKey },
      })
      expect(unsigned.status).toBe(401)
    })
  })
})
