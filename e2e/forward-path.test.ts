import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { get, multipart, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'

const link = 'https://example.com/guide?own=1#part'

// On both stacks, because each database has a look-up of its own.
onStack('embedded', (waymark) => {
  const furnished = async () => {
    const account = await waymark().account()
    const call = (path: string, fields: object) => post(waymark(), account, path, { link, ...fields })
    const create = async (fields: object = {}) => call('/v1/generate-link', fields)
    const edit = async (fields: object) => call('/v1/edit-links', fields)
    return { account, create, edit }
  }
  const visit = (path: string, init: RequestInit = {}) =>
    fetch(`${waymark().url}/${path}`, { redirect: 'manual', ...init })
  /** As it is written: `fetch` would resolve the dots and backslashes. */
  const statusOf = (path: string): Promise<number> => {
    const { hostname, port } = new URL(waymark().url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET /${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      )
      socket.once('data', (bytes) => {
        socket.destroy()
        resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1]))
      })
      socket.once('error', reject)
    })
  }
  const locationOf = async (path: string) => (await visit(path)).headers.get('location')

  describe('a short link with a slash at its end', () => {
    it('is the same link, and other paths below it do not exist', async () => {
      const { create } = await furnished()
      const { code } = (await create()).body.data
      expect([(await visit(`${code}/`)).status, await locationOf(`${code}/?a=b`)]).toEqual([302, link])
      expect((await visit(`${code}/`, { method: 'HEAD' })).status).toBe(302)
      expect((await visit(`${code}/`, { method: 'POST' })).status).toBe(405)
      for (const path of ['a', 'a/b', '/', '%2e'])
        expect([path, await statusOf(`${code}/${path}`)]).toEqual([path, 404])
      expect((await visit('no-such-code/a')).status).toBe(404)
      expect((await visit('v1/no-such-path', { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(404)
    })

    it('asks for its password', async () => {
      const { create } = await furnished()
      const { code } = (await create({ password: 'open' })).body.data
      expect(await (await visit(`${code}/`)).text()).toContain('password')
      const sent = await visit(`${code}/`, {
        method: 'POST',
        body: new URLSearchParams({ password: 'open' }),
      })
      expect([sent.status, sent.headers.get('location')]).toEqual([303, link])
    })

    it('is a loop as a destination, too', async () => {
      const { create } = await furnished()
      const { status, body } = await create({ link: `${waymark().url}/abc/` })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['link']])
    })
  })

  describe('forward_path', () => {
    it('adds the path to the destination, then the parameters', async () => {
      const { create, edit } = await furnished()
      const { code, uuid, forward_path } = (await create({ forward_path: true })).body.data
      expect(forward_path).toBe(true)
      expect(await locationOf(`${code}/a/b%20c/?x=1`)).toBe('https://example.com/guide/a/b%20c/?own=1#part')
      expect(await locationOf(code)).toBe(link)
      expect(await locationOf(`${code}/`)).toBe(link)
      await edit({ uuid, forward_query: true, rules: [{ if: { query: ['y'] }, to: 'https://example.org/' }] })
      expect(await locationOf(`${code}/a?x=1&own=2`)).toBe('https://example.com/guide/a?own=1&x=1#part')
      expect(await locationOf(`${code}/a?y`)).toBe('https://example.org/a?y')
      await edit({ uuid, forward_path: null })
      expect((await visit(`${code}/a`)).status).toBe(404)
    })

    it('never leads out of the destination’s path', async () => {
      const { create } = await furnished()
      const { code } = (await create({ forward_path: true })).body.data
      for (const path of [
        '..',
        '.',
        'a/../b',
        '%2e%2e/a',
        'a/.%2E/b',
        '..%2fa',
        'a%2F..%2fb',
        '\\a',
        'a%5c..%5cb',
        'a'.repeat(8_192),
      ])
        expect([path, await statusOf(`${code}/${path}`)]).toEqual([path, 404])
      for (const path of ['...', 'a..b', '/evil.example', '@evil.example', 'https://evil.example/'])
        expect(await locationOf(`${code}/${path}`)).toBe(`https://example.com/guide/${path}?own=1#part`)
    })

    it('asks for the password first, counts clicks, and ends with the link', async () => {
      const { account, create } = await furnished()
      const { code, uuid } = (await create({ forward_path: true, password: 'open', max_clicks: 1 })).body.data
      expect(await (await visit(`${code}/a`)).text()).toContain('password')
      expect((await visit(`${code}/%2e%2e%2fa`)).status).toBe(404)
      const answer = () =>
        visit(`${code}/a`, { method: 'POST', body: new URLSearchParams({ password: 'open' }) })
      const sent = await answer()
      expect([sent.status, sent.headers.get('location')]).toEqual([
        303,
        'https://example.com/guide/a?own=1#part',
      ])
      expect((await answer()).status).toBe(410)
      await post(waymark(), account, '/v1/remove-links', { uuid })
      expect((await visit(`${code}/a`)).status).toBe(410)
    })

    it('makes every path of a host that is served here a loop, unless its first segment is reserved', async () => {
      const { account, create, edit } = await furnished()
      const own = waymark().url
      for (const url of [`${own}/`, `${own}/abc`, `${own}/abc/`, `${own}/abc/def`, `${own}//abc`]) {
        const { status, body } = await create({ link: url, forward_path: true })
        expect([url, status, Object.keys(body.errors ?? {})]).toEqual([url, 422, ['link']])
      }
      for (const url of [`${own}/app`, `${own}/p/page`])
        expect((await create({ link: url, forward_path: true })).status).toBe(201)
      const nested = `${own}/abc/def`
      const { uuid } = (await create({ link: nested, ios_url: nested })).body.data
      // The destinations that the edit leaves as they are count as well.
      const { status, body } = await edit({ uuid, link: 'https://example.com/', forward_path: true })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['ios_url']])
      const whole = { link: 'https://example.com/', ios_url: null, forward_path: true }
      expect((await edit({ uuid, ...whole })).status).toBe(200)
      expect((await edit({ uuid, link: nested })).status).toBe(422)

      const qr = { url: 'https://example.com/', pattern: 'squares', dynamic: true }
      const made = (await post(waymark(), account, '/v1/generate-qr', qr)).body.data
      const { data: owned } = (
        await get(waymark(), account, `/v1/links?search=${made.short_url.split('/').pop()}`)
      ).body
      await edit({ uuid: owned[0].uuid, link: owned[0].link, forward_path: true })
      const moved = await post(waymark(), account, '/v1/edit-qr', { uuid: made.uuid, url: nested })
      expect([moved.status, Object.keys(moved.body.errors ?? {})]).toEqual([422, ['url']])
    })

    it('is 422 for what is no boolean, is in exports and imports, and in simulations', async () => {
      const { account, create } = await furnished()
      for (const forward_path of ['maybe', 2, [], {}]) {
        const { status, body } = await create({ forward_path })
        expect([status, Object.keys(body.errors)]).toEqual([422, ['forward_path']])
      }
      const { uuid } = (await create({ forward_path: true })).body.data
      const csv = String((await get(waymark(), account, '/v1/export-links')).body)
      const [names = [], cells = []] = csv.split('\r\n').map((line) => line.split(','))
      expect(cells[names.indexOf('forward_path')]).toBe('true')
      const file = multipart([
        { name: 'file', value: `link,forward_path\n${link},true\n`, filename: 'a.csv', type: 'text/csv' },
      ])
      const imported = (await post(waymark(), account, '/v1/import-links', file)).body.data
      expect(await locationOf(`${imported[0].code}/a`)).toBe('https://example.com/guide/a?own=1#part')

      const simulate = async (visitor: object) =>
        (await post(waymark(), account, '/v1/simulate-link', { uuid, ...visitor })).body.data
      expect(await simulate({ path: '/a/ö' })).toMatchObject({
        status: 302,
        url: 'https://example.com/guide/a/%C3%B6?own=1#part',
        forwarded: true,
      })
      expect(await simulate({ path: '/../a' })).toMatchObject({
        status: 404,
        url: null,
        reason: 'no_such_path',
      })
      expect(await simulate({})).toMatchObject({ status: 302, url: link, forwarded: false })
    })
  })
})
