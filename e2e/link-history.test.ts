import { expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'

const link = 'https://example.com/'

forEachStack((waymark) => {
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
})
