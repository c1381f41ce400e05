import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { get, multipart, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'

const link = 'https://example.com/'
let domains = 0

// On both stacks and with two processes: the flag is settled in the database, and each process looks codes up.
onStack(
  'embedded',
  (waymark) => {
    /** A domain that the operator has added for an account. */
    const furnished = async (...options: string[]) => {
      const account = await waymark().account()
      const name = `case${++domains}-${Date.now()}.example`
      const add = () => waymark().cli('domain', 'add', name, '--email', account.email, ...options, '--json')
      const { code, stderr } = await add()
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      await known(name)
      const call = (path: string, fields: Record<string, unknown>) => post(waymark(), account, path, fields)
      const create = async (fields: object = {}) =>
        call('/v1/generate-link', { link, domain: name, ...fields })
      const edit = async (fields: object) => call('/v1/edit-domain', { name, ...fields })
      const read = async () => {
        const { data } = (await get(waymark(), account, '/v1/domains')).body
        return (data as { name: string; ignore_case: boolean }[]).find((domain) => domain.name === name)
      }
      return { account, name, add, call, create, edit, read }
    }
    /** Each process looks for new domains once a second; visits are spread over the processes. */
    const known = async (name: string): Promise<void> => {
      for (let seen = 0; seen < 10;) {
        // The root of a host that is not known leads to the dashboard.
        const isKnown = (await visit(name, '/'))[0] === 200
        seen = isKnown ? seen + 1 : 0
        if (!isKnown) await setTimeout(50)
      }
    }
    const visit = (host: string, path: string): Promise<[number | undefined, string | undefined]> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(waymark().url)
        request({ hostname, port, path, headers: { host }, agent: false }, (response) => {
          response.resume()
          resolve([response.statusCode, response.headers.location])
        })
          .on('error', reject)
          .end()
      })

    describe('a domain that ignores case', () => {
      it('stores short codes in lower case, and finds them in any', async () => {
        const { account, name, call, create, read } = await furnished('--ignore-case')
        expect((await read())?.ignore_case).toBe(true)
        const { status, body } = await create({ customLink: 'Spring-Sale' })
        expect([status, body.data.code, body.data.customLink]).toEqual([201, 'spring-sale', 'spring-sale'])
        for (const path of ['/spring-sale', '/SPRING-SALE', '/Spring-sale/', '/sPring-sale?a'])
          expect([path, ...(await visit(name, path))]).toEqual([path, 302, link])
        expect((await visit(name, '/Spring-Sale+'))[0]).toBe(200)
        expect((await visit('localhost', '/spring-sale'))[0]).toBe(404)
        for (const customLink of ['SPRING-SALE', 'spring-sale'])
          expect((await create({ customLink })).status).toBe(409)
        for (let n = 0; n < 5; n++) expect((await create()).body.data.code).toMatch(/^[a-z0-9]{7}$/)
        const many = {
          links: [
            { link, domain: name, customLink: 'Many' },
            { link, domain: name },
          ],
        }
        const [first, second] = (await call('/v1/generate-links', many)).body.data
        expect([first.code, second.code]).toEqual(['many', expect.stringMatching(/^[a-z0-9]{7}$/)])
        const named = (code: string) => get(waymark(), account, `/v1/links?domain=${name}&code=${code}`)
        expect((await named('MANY')).body.data[0]?.uuid).toBe(first.uuid)
        const free = await get(waymark(), account, `/v1/short-code?domain=${name}&code=MaNy`)
        expect(free.body.data).toMatchObject({ code: 'many', state: 'taken', uuid: first.uuid })
      })

      it('spells renamed, moved, imported and removed short codes alike', async () => {
        const { account, name, call, create } = await furnished('--ignore-case')
        const { uuid } = (await create({ customLink: 'First' })).body.data
        const renamed = await call('/v1/edit-links', { uuid, link, customLink: 'SECOND' })
        expect(renamed.body.data.code).toBe('second')
        expect((await visit(name, '/FIRST'))[0]).toBe(302)
        const code = `Moved${Date.now()}`
        const moved = (await create({ domain: null, customLink: code })).body.data
        const after = await call('/v1/edit-links', { uuid: moved.uuid, link, domain: name })
        expect(after.body.data.code).toBe(code.toLowerCase())
        expect([(await visit('localhost', `/${code}`))[0], (await visit(name, `/${code}`))[0]]).toEqual([
          302, 302,
        ])
        const rows = `link,customLink,domain\n${link},InFile,${name}\n`
        const file = (value: string) =>
          post(
            waymark(),
            account,
            '/v1/import-links',
            multipart([{ name: 'file', value, filename: 'a.csv', type: 'text/csv' }]),
          )
        expect((await file(rows)).body.data[0].code).toBe('infile')
        expect((await file(rows.replace('InFile', 'INFILE'))).status).toBe(409)
        await call('/v1/remove-links', { uuid, permanent: true })
        for (const path of ['/First', '/SECOND']) expect((await visit(name, path))[0]).toBe(410)
        expect((await create({ customLink: 'FIRST' })).status).toBe(409)
      })
    })

    describe('ignore_case', () => {
      it('can be set only while the domain never had a short code, and never on the host of the instance', async () => {
        const { account, name, add, call, create, edit, read } = await furnished()
        expect((await read())?.ignore_case).toBe(false)
        expect((await edit({ ignore_case: true })).body.data.ignore_case).toBe(true)
        expect((await edit({ ignore_case: null })).body.data.ignore_case).toBe(false)
        expect((await edit({ ignore_case: 'maybe' })).status).toBe(422)
        const made = (await create({ customLink: 'Menu' })).body.data
        expect([made.code, (await visit(name, '/menu'))[0]]).toEqual(['Menu', 404])
        const late = await edit({ ignore_case: true })
        expect([late.status, Object.keys(late.body.errors)]).toEqual([409, ['ignore_case']])
        // Sent back as it is, it is no change.
        expect((await edit({ ignore_case: false, brand_name: 'x' })).status).toBe(200)
        await call('/v1/remove-links', { uuid: made.uuid, permanent: true })
        expect((await edit({ ignore_case: true })).status).toBe(409)
        expect((await call('/v1/remove-domain', { name })).status).toBe(200)
        const claimed = await call('/v1/add-domain', { name, ignore_case: true })
        expect([claimed.status, Object.keys(claimed.body.errors)]).toEqual([409, ['ignore_case']])
        expect((await add()).code).toBe(0)
        expect((await edit({ ignore_case: true })).status).toBe(409)
        for (const path of ['/v1/add-domain', '/v1/edit-domain']) {
          const { status } = await post(waymark(), account, path, { name: 'localhost', ignore_case: true })
          expect([path, status]).toEqual([path, path.endsWith('add-domain') ? 422 : 404])
        }
        const own = (await get(waymark(), account, '/v1/domains')).body.data[0]
        expect([own.name, own.ignore_case]).toEqual(['localhost', false])
      })

      it('is shown with a claim, and settled by one of many requests at once', async () => {
        const { call, edit, create } = await furnished()
        const claim = await call('/v1/add-domain', { name: `claim${Date.now()}.example`, ignore_case: true })
        expect([claim.status, claim.body.data.ignore_case]).toEqual([201, true])
        const [edited, ...created] = await Promise.all([
          edit({ ignore_case: true }),
          ...Array.from({ length: 8 }, (_, n) => create({ customLink: `Code${n}` })),
        ])
        const spelled = new Set(created.map(({ body }) => /[A-Z]/.test(body.data.code)))
        expect([...spelled]).toEqual([edited?.status !== 200])
      })
    })
  },
  { WORKERS: '2' },
)
