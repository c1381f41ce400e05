import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { leastNested, newSlug, until, wrongFields } from './support/pages.ts'
import { get, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

let names = 0
const newName = (): string => `d${process.pid}-${++names}.example.com`

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const call = async (path: string, body: Record<string, unknown>, as?: Account) =>
    post(waymark(), as ?? (await account()), path, body)
  const addByCli = async (name: string, ...more: string[]) => {
    const { stdout, code, stderr } = await waymark().cli('domain', 'add', name, ...more, '--json')
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const nameOf = (body: { data: unknown[] }): unknown[] =>
    body.data.map((row) => (row as { name: string }).name)

  /** Asks for a path as a browser would that found another name in the DNS. */
  const visit = (
    host: string,
    path: string,
    method = 'GET',
  ): Promise<{ status: number; location?: string }> =>
    new Promise((resolve, reject) => {
      const options = { port: waymark().port, host: 'localhost', path, method, headers: { host } }
      request(options, (response) => {
        response.resume()
        const { location } = response.headers
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, ...(location !== undefined && { location }) }),
        )
      })
        .on('error', reject)
        .end()
    })

  /** A process sees within a second what the command line has added. */
  const untilServed = (host: string, path: string) =>
    until(
      () => visit(host, path),
      ({ status }) => status === 200,
    )

  it('lists the own host, added domains, and who may use them', async () => {
    const { email } = await account()
    const [own, everyones] = [newName(), newName()]
    await addByCli(own, '--email', email)
    await addByCli(everyones)
    const { body } = await get(waymark(), await account(), '/v1/domains')
    expect(body.data[0]).toMatchObject({ name: 'localhost', verified: true, shared: true })
    expect(nameOf(body)).toEqual(expect.arrayContaining([own, everyones]))
    const other = await get(waymark(), await waymark().account(), '/v1/domains')
    expect(nameOf(other.body)).toContain(everyones)
    expect(nameOf(other.body)).not.toContain(own)
    const listed = JSON.parse((await waymark().cli('domain', 'list', '--json')).stdout) as { name: string }[]
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining([own, everyones]))
  })

  it('serves links and pages under their own host alone', async () => {
    const { email } = await account()
    const [domain, other] = [newName(), newName()]
    await addByCli(domain, '--email', email)
    await addByCli(other)
    const slug = newSlug()
    const page = (await call('/v1/generate-page', { ...leastNested(slug), domain })).body.data
    expect(page).toMatchObject({ domain, page_url: `http://${domain}:${waymark().port}/p/${slug}` })
    expect(page.short_link).toMatchObject({ domain, link: page.page_url })
    expect((await untilServed(domain, `/p/${slug}`)).status).toBe(200)
    expect((await visit(`${domain}:8080`, `/p/${slug}`)).status).toBe(200)
    expect((await visit(domain, `/${page.short_link.code}`)).location).toBe(page.page_url)
    for (const host of ['localhost', other, 'stranger.example']) {
      expect((await visit(host, `/p/${slug}`)).status).toBe(404)
      expect((await visit(host, `/${page.short_link.code}`)).status).toBe(404)
    }
    const elsewhere = await call('/v1/generate-page', leastNested(slug))
    expect(elsewhere.status).toBe(201)
    expect((await visit('stranger.example', `/p/${slug}`)).status).toBe(200)
    const ofInstance = [
      '/app',
      '/v1/healthcheck',
      '/v1/none',
      '/docs',
      '/docs/signing',
      '/llms.txt',
      '/metrics',
    ]
    // The router decodes a path before it looks for the route.
    const encoded = [
      '/%61pp',
      '/a%70p/links',
      '/v%31/healthcheck',
      '/%76%31/healthcheck',
      '/%64ocs',
      '/llms%2Etxt',
    ]
    for (const path of [...ofInstance, ...encoded])
      expect([path, (await visit(domain, path)).status]).toEqual([path, 404])
    for (const method of ['POST', 'PUT', 'OPTIONS', 'HEAD'])
      for (const path of ['/v1/healthcheck', '/v1/generate-link', '/app'])
        expect([method, path, (await visit(domain, path, method)).status]).toEqual([method, path, 404])
    for (const path of ['/%61pp', '/v%31/healthcheck'])
      expect([path, (await visit('localhost', path)).status]).toEqual([path, 200])
  })

  it('moves a page between domains, with a redirect left behind', async () => {
    const domain = newName()
    await addByCli(domain)
    const page = (await call('/v1/generate-page', leastNested(newSlug()))).body.data
    const fields = { uuid: page.uuid, title: 'T', logoPosition: 'top-left', buttons: [{ label: 'b' }] }
    const moved = (await call('/v1/edit-page', { ...fields, domain })).body.data
    expect(moved.page_url).toBe(`http://${domain}:${waymark().port}/p/${page.slug}`)
    expect(await visit('localhost', `/p/${page.slug}`)).toEqual({ status: 301, location: moved.page_url })
    expect((await untilServed(domain, `/p/${page.slug}`)).status).toBe(200)
    const back = (await call('/v1/edit-page', { ...fields, domain: null })).body.data
    expect(back.page_url).toBe(page.page_url)
    expect((await visit(domain, `/p/${page.slug}`)).location).toBe(page.page_url)
  })

  it('lets a page or link name only a domain that its user may use', async () => {
    const other = await waymark().account()
    const theirs = newName()
    await addByCli(theirs, '--email', other.email)
    const unproven = (await call('/v1/add-domain', { name: newName() })).body.data
    expect(unproven).toMatchObject({ verified: false, shared: false, txt_name: `_waymark.${unproven.name}` })
    for (const domain of [theirs, unproven.name as string, newName(), '']) {
      const page = await call('/v1/generate-page', { ...leastNested(newSlug()), domain })
      const link = await call('/v1/generate-link', { link: 'https://example.com', domain })
      expect([domain, page.status, wrongFields(page)]).toEqual([domain, 422, ['domain']])
      expect([domain, link.status, wrongFields(link)]).toEqual([domain, 422, ['domain']])
    }
  })

  it('does not take a domain into use without its TXT record', async () => {
    const { name } = (await call('/v1/add-domain', { name: newName() })).body.data
    const refused = await call('/v1/verify-domain', { name })
    expect([refused.status, wrongFields(refused)]).toEqual([422, ['name']])
    expect(refused.body.errors.name[0]).toContain(`_waymark.${name}`)
    expect((await call('/v1/verify-domain', { name: newName() })).status).toBe(404)
  })

  it('normalises names, and refuses what is none or deceives', async () => {
    const label = `bücher-${process.pid}-${++names}`
    const added = await call('/v1/add-domain', { name: ` ${label.toUpperCase()}.example. ` })
    expect(added.status).toBe(201)
    expect(added.body.data.name).toMatch(/^xn--[a-z0-9-]+\.example$/)
    const again = await call('/v1/add-domain', { name: `${label}.example` })
    expect([again.status, wrongFields(again)]).toEqual([409, ['name']])
    for (const name of [
      'localhost',
      '127.0.0.1',
      'a b.example',
      'http://x.example',
      'x',
      '-a.example',
      'p\u0430ypal.com',
    ])
      expect([name, wrongFields(await call('/v1/add-domain', { name }))]).toEqual([name, ['name']])
  })

  describe('remove', () => {
    it('is refused while anything uses it, with the count', async () => {
      const { email } = await account()
      const name = newName()
      await addByCli(name, '--email', email)
      const page = (await call('/v1/generate-page', { ...leastNested(newSlug()), domain: name })).body.data
      const refused = await call('/v1/remove-domain', { name })
      // The page and its short link.
      expect([refused.status, refused.body.uses]).toEqual([409, 2])
      expect((await waymark().cli('domain', 'remove', name)).code).not.toBe(0)
      await call('/v1/remove-page', { uuid: page.uuid })
      // In the trash they still have their addresses.
      expect((await call('/v1/remove-domain', { name })).body.uses).toBe(2)
      await call('/v1/restore', { uuids: [page.uuid] })
      await call('/v1/remove-page', { uuid: page.uuid, permanent: true })
      expect((await call('/v1/remove-domain', { name })).body.data).toEqual({ name })
      expect((await call('/v1/remove-domain', { name })).status).toBe(404)
    })

    it('counts addresses that a link had before', async () => {
      const { email } = await account()
      const name = newName()
      await addByCli(name, '--email', email)
      const { uuid } = (await call('/v1/generate-link', { link: 'https://example.com/', domain: name })).body
        .data
      await call('/v1/edit-links', { uuid, link: 'https://example.com/', domain: 'localhost' })
      expect((await call('/v1/remove-domain', { name })).body.uses).toBe(1)
      await call('/v1/remove-links', { uuid, permanent: true })
      expect((await call('/v1/remove-domain', { name })).status).toBe(200)
    })

    it('is for the owner', async () => {
      const name = newName()
      await addByCli(name, '--email', (await waymark().account()).email)
      expect((await call('/v1/remove-domain', { name })).status).toBe(404)
      expect((await waymark().cli('domain', 'remove', name, '--json')).code).toBe(0)
    })
  })
})
