import { request } from 'node:http'
import { expect, it } from 'vitest'
import { until, upload, wrongFields } from './support/pages.ts'
import { png } from './support/pictures.ts'
import { type Encoded, get, multipart, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

let names = 0
const newName = (): string => `s${process.pid}-${++names}.example.com`

interface Seen {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: string
}

onStack(
  'embedded',
  (waymark) => {
    let shared: Account | undefined
    const account = async (): Promise<Account> => (shared ??= await waymark().account())
    const call = async (path: string, body: Record<string, unknown> | Encoded) =>
      post(waymark(), await account(), path, body)

    /** Asks for a path as a client that found another name in the DNS. */
    const visit = (host: string, path: string, headers: Record<string, string> = {}): Promise<Seen> =>
      new Promise((resolve, reject) => {
        const options = { port: waymark().port, host: '127.0.0.1', path, headers: { host, ...headers } }
        request(options, (response) => {
          let body = ''
          response.setEncoding('utf8').on('data', (text: string) => (body += text))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          )
        })
          .on('error', reject)
          .end()
      })

    const addOwn = async (): Promise<string> => {
      const name = newName()
      const { code, stderr } = await waymark().cli('domain', 'add', name, '--email', (await account()).email)
      if (code !== 0) throw new Error(stderr)
      await until(
        () => visit(name, '/'),
        ({ status }) => status === 200,
      )
      return name
    }

    it('shows a page at the root of a custom domain, until root_url sends visitors elsewhere', async () => {
      const name = await addOwn()
      const page = await visit(name, '/')
      expect(page.status).toBe(200)
      expect(page.body).toContain(name)
      const edited = await call('/v1/edit-domain', { name, root_url: 'https://example.com/home' })
      expect([edited.status, edited.body.data.root_url]).toEqual([200, 'https://example.com/home'])
      expect(await visit(name, '/?a=b')).toMatchObject({
        status: 302,
        headers: { location: 'https://example.com/home' },
      })
      await call('/v1/edit-domain', { name, root_url: null })
      expect((await visit(name, '/')).status).toBe(200)
    })

    it('sends visitors of unknown addresses and of expired links elsewhere, and leaves removed ones a 410', async () => {
      const name = await addOwn()
      const [unknown, expired] = ['https://example.com/unknown', 'https://example.com/expired']
      await call('/v1/edit-domain', { name, not_found_url: unknown, expired_url: expired })
      const to = (location: string) => ({ status: 302, headers: { location } })
      for (const path of ['/none', '/a/b', '/p/none', '/app', '/none+'])
        expect([path, await visit(name, path)]).toMatchObject([path, to(unknown)])
      const fields = { link: 'https://example.com/', domain: name }
      const used = (await call('/v1/generate-link', { ...fields, max_clicks: 1 })).body.data
      expect((await visit(name, `/${used.code}`)).headers['location']).toBe('https://example.com/')
      expect(await visit(name, `/${used.code}`)).toMatchObject(to(expired))
      const soon = new Date(Date.now() + 1_500).toISOString()
      const late = (await call('/v1/generate-link', { ...fields, expire: soon })).body.data
      await until(
        () => visit(name, `/${late.code}`),
        ({ headers }) => headers['location'] === expired,
      )
      const removed = (await call('/v1/generate-link', fields)).body.data
      await call('/v1/remove-links', { uuid: removed.uuid })
      expect((await visit(name, `/${removed.code}`)).status).toBe(410)
      expect((await visit('localhost', '/none')).status).toBe(404)
    })

    it('refuses landing URLs that could lead in circles, and domains of others', async () => {
      const name = await addOwn()
      const own = `http://${name}`
      for (const field of ['root_url', 'not_found_url', 'expired_url'])
        for (const url of [`${own}/`, `${own}/a/b`, `${own}/abc`, `${waymark().url}/abc`]) {
          const refused = await call('/v1/edit-domain', { name, [field]: url })
          expect([field, url, wrongFields(refused)]).toEqual([field, url, [field]])
        }
      expect(wrongFields(await call('/v1/edit-domain', { name, not_found_url: `${own}/p/x` }))).toEqual([
        'not_found_url',
      ])
      expect((await call('/v1/edit-domain', { name, root_url: `${own}/p/home` })).status).toBe(200)
      expect((await call('/v1/edit-domain', { name: newName() })).status).toBe(404)
      const stranger = await waymark().account()
      expect((await post(waymark(), stranger, '/v1/edit-domain', { name })).status).toBe(404)
    })

    it('shows the logo, name and colour of the domain on pages for visitors', async () => {
      const name = await addOwn()
      const edited = await call(
        '/v1/edit-domain',
        multipart([
          { name: 'name', value: name },
          { name: 'brand_name', value: 'Birch & <Co>' },
          { name: 'brand_color', value: '#0AF' },
          upload('logo', png(40, 90, 70)),
        ]),
      )
      expect(edited.body.data).toMatchObject({ brand_name: 'Birch & <Co>', brand_color: '#00aaff' })
      const path = new URL(edited.body.data.logo as string).pathname
      const page = await visit(name, '/none')
      expect(page.status).toBe(404)
      expect(page.body).toContain(`src="${path}"`)
      expect(page.body).toContain('alt="Birch &amp; &lt;Co&gt;"')
      expect(page.body).toContain('--mark:#00aaff')
      // The signpost wears the colour of the brand, the name stands beside the logo, and ours is nowhere.
      expect(page.body).toContain('--plate:#00aaff')
      expect(page.body).toContain('>Birch &amp; &lt;Co&gt;</span></header>')
      expect(page.body).not.toContain('Waymark')
      expect(page.headers['content-security-policy']).toContain("img-src 'self'")
      expect((await visit(name, path)).status).toBe(200)
      expect((await visit('localhost', '/none')).body).not.toContain('Birch')
      await call('/v1/edit-domain', { name, logo: null, brand_color: null })
      expect((await visit(name, '/none')).body).toContain('Birch &amp; &lt;Co&gt;</header>')
      const [, listed] = (await get(waymark(), await account(), '/v1/domains')).body.data.filter(
        (row: { name: string }) => row.name === name || row.name === 'localhost',
      )
      expect(listed).toMatchObject({ name, logo: null, brand_name: 'Birch & <Co>' })
    })

    it('says which records a domain needs, and which of them are found', async () => {
      const name = newName()
      const { records, txt_name, txt_value } = (await call('/v1/add-domain', { name })).body.data
      expect(records).toEqual([
        { type: 'TXT', name: txt_name, value: txt_value },
        { type: 'CNAME', name, value: 'localhost' },
      ])
      const checked = await call('/v1/check-domain', { name })
      expect(checked.status).toBe(200)
      expect(checked.body.data).toMatchObject({
        name,
        verified: false,
        records: [{ type: 'TXT', expected: [txt_value], found: [], ok: false }, { ok: false }],
        https: { ok: false, error: expect.any(String) as string },
      })
      expect((await call('/v1/check-domain', { name: newName() })).status).toBe(404)
    })

    it('lets an operator edit a domain that everyone may use', async () => {
      const name = newName()
      await waymark().cli('domain', 'add', name)
      const edited = await waymark().cli(
        'domain',
        'edit',
        name,
        '--root-url',
        'https://example.com/',
        '--json',
      )
      expect(JSON.parse(edited.stdout)).toMatchObject({ name, root_url: 'https://example.com/' })
      await until(
        () => visit(name, '/'),
        ({ status }) => status === 302,
      )
      expect((await waymark().cli('domain', 'edit', name, '--root-url', 'nonsense')).code).toBe(1)
    })

    it('tells proxies for which hosts they may get a certificate', async () => {
      const name = await addOwn()
      const ask = async (domain: string, more = '', headers: Record<string, string> = {}) =>
        (await visit('127.0.0.1', `/.well-known/waymark/ask?domain=${domain}${more}`, headers)).status
      expect(await ask(name)).toBe(200)
      expect(await ask(name.toUpperCase())).toBe(200)
      expect(await ask('localhost')).toBe(200)
      for (const unknown of ['stranger.example', `x.${name}`, '', `${name}&domain=${name}`])
        expect([unknown, await ask(unknown)]).toEqual([unknown, 404])
      const claimed = (await call('/v1/add-domain', { name: newName() })).body.data
      expect(await ask(claimed.name as string)).toBe(404)
      // What a proxy forwards comes from a visitor.
      const visitor = { 'x-forwarded-for': '203.0.113.9' }
      expect(await ask(name, '', visitor)).toBe(404)
      expect(await ask(name, '', { ...visitor, authorization: 'Bearer ask-me' })).toBe(200)
      expect(await ask(name, '&token=ask-me', visitor)).toBe(200)
      expect(await ask(name, '&token=ask-you', visitor)).toBe(404)
    })

    it('serves robots.txt and security.txt on every host', async () => {
      const name = await addOwn()
      const own = await visit('localhost', '/robots.txt')
      expect(own.body).toContain('Disallow: /v1/')
      expect((await visit(name, '/robots.txt')).body).not.toContain('/v1/')
      for (const host of ['localhost', name]) {
        const security = await visit(host, '/.well-known/security.txt')
        expect(security.body).toContain('Contact: mailto:security@example.com\n')
        expect(Date.parse(/^Expires: (.*)$/m.exec(security.body)?.[1] ?? '')).toBeGreaterThan(Date.now())
      }
    })
  },
  { ASK_TOKEN: 'ask-me', SECURITY_CONTACT: 'security@example.com' },
)
