import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { BROWSER, leastNested, newSlug, picture, until, upload } from './support/pages.ts'
import { get, multipart, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

interface Raw {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
}

/** A request as it goes over the wire: nothing is followed, decompressed or added. */
const raw = (address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    request(address, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      )
    })
      .on('error', reject)
      .end()
  })

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const call = async (path: string, body: Parameters<typeof post>[3]) =>
    post(waymark(), await account(), path, body)
  const create = async (fields: Record<string, unknown> = {}) =>
    (await call('/v1/generate-page', { ...leastNested(newSlug()), ...fields })).body.data
  const edit = (fields: Record<string, unknown>) =>
    call('/v1/edit-page', { title: 'T', logoPosition: 'top-left', buttons: [{ label: 'b' }], ...fields })
  const viewsOf = async (uuid: string): Promise<number> => {
    const { body } = await get(waymark(), await account(), '/v1/pages?limit=1000')
    const pages = body.data as { uuid: string; views: number }[]
    return pages.find((page) => page.uuid === uuid)?.views ?? -1
  }

  describe('GET /p/{slug}', () => {
    it('is one document with a strict policy, compressed for whoever can read that', async () => {
      const { page_url } = await create({
        buttons: [{ id: 1, status: 1, label: 'Go', url: 'https://example.com' }],
      })
      const plain = await raw(page_url)
      expect(plain.status).toBe(200)
      expect(plain.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: 'Accept-Encoding, Accept-Language',
        'x-content-type-options': 'nosniff',
      })
      const policy = String(plain.headers['content-security-policy'])
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; img-src 'self'; script-src 'self';/,
      )
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      const br = await raw(page_url, { 'accept-encoding': 'gzip, deflate, br' })
      const gzip = await raw(page_url, { 'accept-encoding': 'gzip, br;q=0' })
      expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
      expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes)
      expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
      expect(br.bytes.length).toBeLessThan(12 * 1024)
    })

    it('answers 304 to whoever holds it, and HEAD without a body', async () => {
      const { page_url } = await create()
      const first = await raw(page_url, { 'accept-encoding': 'br' })
      const etag = String(first.headers['etag'])
      const again = await raw(page_url, { 'accept-encoding': 'br', 'if-none-match': `"x", W/${etag}` })
      expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, etag])
      const head = await raw(page_url, { 'accept-encoding': 'br' }, 'HEAD')
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      expect(head.headers['content-length']).toBe(String(first.bytes.length))
    })

    it('shows an edit at once', async () => {
      const { uuid, page_url } = await create({ title: 'Before' })
      const before = await raw(page_url)
      expect(before.bytes.toString()).toMatch(/<h1[^>]*>Before<\/h1>/)
      await edit({ uuid, title: 'After' })
      const after = await raw(page_url, { 'if-none-match': String(before.headers['etag']) })
      expect(after.status).toBe(200)
      expect(after.bytes.toString()).toMatch(/<h1[^>]*>After<\/h1>/)
    })

    it('has everything that share previews want', async () => {
      const { page_url, slug } = await create({ title: 'Shared', subtitle: 'What it is about' })
      const html = (await raw(page_url)).bytes.toString()
      expect(html).toContain('<html lang="en">')
      expect(html).toContain('<title>Shared</title')
      expect(html).toContain(` href="${page_url}" />`)
      expect(html).toContain('<meta name="description" content="What it is about" />')
      expect(html).toContain('<meta property="og:title" content="Shared" />')
      expect(html).toContain('<meta name="twitter:card" content="summary_large_image" />')
      const image = /<meta property="og:image" content="([^"]+)" \/>/.exec(html)?.[1] ?? ''
      expect(image).toMatch(new RegExp(`^${waymark().url}/o/${slug}\\.png\\?v=`))
      const preview = await raw(image)
      expect(preview.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      expect(await sharp(preview.bytes).metadata()).toMatchObject({ width: 1200, height: 630, format: 'png' })
    })

    it('has no script when there is nothing to report, and the logo as its icon', async () => {
      const form = multipart([
        { name: 'title', value: 'Quiet' },
        { name: 'slug', value: newSlug() },
        { name: 'logoPosition', value: 'bottom-right' },
        upload('logo', await picture('#336699', 200, 200)),
        upload('images[]', await picture()),
        { name: 'buttons[][label]', value: 'Nothing behind it' },
      ])
      const { page_url } = (await call('/v1/generate-page', form)).body.data
      const { bytes, headers } = await raw(page_url)
      expect(bytes.toString()).not.toContain('<script')
      expect(headers['content-security-policy']).not.toContain('script-src')
      const icon = /<link rel="icon" href="([^"]+)"/.exec(bytes.toString())?.[1] ?? ''
      expect(icon).toMatch(/^\/m\/[0-9a-f]{64}\.webp\?w=96$/)
      expect((await raw(waymark().url + icon)).status).toBe(200)
    })

    it('hides what has status 0', async () => {
      const { page_url } = await create({
        logoText: 'Unseen logo',
        logoStatus: 0,
        images: [{ id: 1, src: 'https://unseen.example/x.png', status: 0 }],
        buttons: [
          { id: 1, status: 0, label: 'Unseen button', url: 'https://example.com' },
          { id: 2, status: 1, label: 'Shown button' },
        ],
      })
      const { bytes, headers } = await raw(page_url)
      expect(bytes.toString()).not.toMatch(/unseen/i)
      expect(headers['content-security-policy']).not.toContain('unseen')
      expect(bytes.toString()).toContain('Shown button')
    })

    it('names the origin of pictures elsewhere in its policy, and nothing else', async () => {
      const { page_url } = await create({
        images: [{ id: 1, src: 'https://pictures.example.org:8443/a/b.png', status: 1 }],
      })
      const { bytes, headers } = await raw(page_url)
      expect(headers['content-security-policy']).toContain(
        "img-src 'self' https://pictures.example.org:8443;",
      )
      expect(bytes.toString()).toMatch(/<img[^>]+referrerpolicy="no-referrer"/)
    })

    it('leaves a redirect at every address it had, and can go back', async () => {
      const { uuid, slug, page_url, short_link } = await create()
      const [second, third] = [newSlug(), newSlug()]
      const moved = (await edit({ uuid, slug: second.toUpperCase() })).body.data
      expect([moved.slug, moved.page_url]).toEqual([second, `${waymark().url}/p/${second}`])
      expect(moved.short_link).toMatchObject({ code: short_link.code, link: moved.page_url })
      expect(await raw(`${page_url}?utm_source=x`)).toMatchObject({
        status: 301,
        headers: { location: `${moved.page_url}?utm_source=x`, 'cache-control': 'no-cache' },
      })
      await edit({ uuid, slug: third })
      expect((await raw(page_url)).headers['location']).toBe(`${waymark().url}/p/${third}`)
      expect((await raw(moved.page_url)).headers['location']).toBe(`${waymark().url}/p/${third}`)
      expect((await edit({ uuid, slug })).status).toBe(200)
      expect((await raw(page_url)).status).toBe(200)
      expect((await raw(moved.page_url)).headers['location']).toBe(page_url)
      const taken = await call('/v1/generate-page', leastNested(second))
      expect(taken.status).toBe(409)
      await call('/v1/remove-page', { uuid })
      for (const old of [slug, second, third])
        expect((await raw(`${waymark().url}/p/${old}`)).status).toBe(410)
    })

    it('is found in any capitals and with a slash behind it, under one address', async () => {
      const { slug } = await create()
      const shouted = await raw(`${waymark().url}/p/${slug.toUpperCase()}?a=1`)
      expect([shouted.status, shouted.headers['location']]).toEqual([301, `/p/${slug}?a=1`])
      expect((await raw(`${waymark().url}/p/${slug}/`)).headers['location']).toBe(`/p/${slug}`)
    })

    it('says so when there is none, in the form asked for', async () => {
      const page = await raw(`${waymark().url}/p/${newSlug()}`)
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      const json = await raw(`${waymark().url}/p/${newSlug()}`, { accept: 'application/json' })
      expect([json.status, json.headers['content-type']]).toEqual([404, 'application/json'])
      const posted = await raw(`${waymark().url}/p/${newSlug()}`, {}, 'POST')
      expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD'])
      for (const path of ['/p/', '/p', '/p/a/b', '/p/a.b', '/p/a%2db', '/p/..%2fx', `/p/${'a'.repeat(300)}`])
        expect([path, (await raw(waymark().url + path)).status]).toEqual([path, 404])
    })
  })

  describe('what is counted', () => {
    it('views by people, and not by machines, HEAD or prefetching', async () => {
      const { uuid, page_url } = await create()
      await raw(page_url, { 'user-agent': BROWSER })
      const { headers } = await raw(page_url, { 'user-agent': BROWSER })
      await raw(page_url, { 'user-agent': BROWSER, 'if-none-match': String(headers['etag']) })
      await raw(page_url, { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })
      await raw(page_url, { 'user-agent': BROWSER }, 'HEAD')
      await raw(page_url, { 'user-agent': BROWSER, 'sec-purpose': 'prefetch' })
      expect(
        await until(
          () => viewsOf(uuid),
          (views) => views >= 3,
        ),
      ).toBe(3)
    })

    it('clicks on buttons and icons that the page has, and nothing else', async () => {
      const { uuid } = await create({
        buttons: [{ id: 7, status: 1, label: 'Go', url: 'https://example.com' }],
        socialIcons: [{ icon: 'facebook', link: 'https://example.com/f' }],
      })
      const report = (path: string, init: RequestInit = {}) =>
        fetch(`${waymark().url}/e/${path}`, { method: 'POST', headers: { 'user-agent': BROWSER }, ...init })
      const paths = [
        `${uuid}/button/7`,
        `${uuid}/icon/0`,
        `${uuid}/button/8`,
        `${uuid}/button/07`,
        `${uuid}/icon/1`,
        `${uuid}/image/1`,
        `${uuid}/button/constructor`,
        `${crypto.randomUUID()}/button/7`,
        'nobody/button/7',
      ]
      for (const path of paths) {
        const answer = await report(path)
        expect([path, answer.status, await answer.text()]).toEqual([path, 204, ''])
      }
      expect((await report(`${uuid}/button/7`, { body: 'PING' })).status).toBe(204)
      await report(`${uuid}/button/7`, { body: 'x'.repeat(100_000) })
      const counted = async (by: string) =>
        (await get(waymark(), await account(), `/v1/analytics?uuid=${uuid}&by=${by}`)).body.data
          .breakdown as {
          value: string
          clicks: number
        }[]
      const buttons = await until(
        () => counted('button'),
        (rows) => (rows[0]?.clicks ?? 0) >= 2,
      )
      expect(buttons.map(({ value, clicks }) => [value, clicks])).toEqual([['7', 2]])
      expect((await counted('icon')).map(({ value, clicks }) => [value, clicks])).toEqual([['0', 1]])
      expect(await viewsOf(uuid)).toBe(0)
    })
  })
})
