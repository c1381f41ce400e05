import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { type OperationName, type Role, scopesOfRole } from '@waymark/contract'
import { parseSetCookie } from 'cookie'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createIdempotency } from '../api/steps/idempotency.ts'
import type { Route } from '../api/routes.ts'
import { testServices } from '../modules/testing.ts'
import { createAddressReader } from '../net/client-address.ts'
import { forEachDatabase, insertTestUser } from '../storage/db/testing.ts'
import { createMetrics } from '../work/metrics.ts'
import { openApi } from './api.ts'
import { openBackground } from './background.ts'
import type { Modules } from './modules.ts'
import { openVisitors } from './visitors.ts'

/*
 * Two workspaces of one user and two users in one workspace, in one process over HTTP: a workspace neither sees nor uses up
 * what belongs to another, and the rights of a request end with the membership and with the workspace.
 */

const BASE_URL = 'https://way.example'
const LINK = { link: 'https://example.com/' }
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const NO_WORKSPACE = { error: 'There is no such workspace' }

interface Heard {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of all operations
  readonly body: any
}

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases, { BASE_URL, TRUST_PROXY: '1' })
  const closing = new AsyncDisposableStack()
  let http: FastifyInstance
  let origin: string
  /** Called once, by the next request for an operation, between its checks and its work. */
  let between: { readonly name: OperationName; readonly work: () => Promise<unknown> } | undefined

  const interruptibly = ({ name, handler }: Route): Route => {
    const prepare: typeof handler.prepare = async (context) => {
      const prepared = await handler.prepare(context)
      if (between?.name !== name) return prepared
      const { work } = between
      between = undefined
      await work()
      return prepared
    }
    return { name, handler: { ...handler, prepare } }
  }
  /** The modules, with a point in each operation where another request can interrupt it. */
  const interruptible = (modules: Modules): Modules => ({
    ...modules,
    list: modules.list.map((module) => ({ ...module, routes: module.routes.map(interruptibly) })),
  })

  beforeAll(async () => {
    const { core: storage, modules } = services()
    const core = { ...storage, closing }
    const addressOf = createAddressReader(core.config.trustProxy)
    const visitors = openVisitors(core, modules, addressOf, undefined)
    const idempotency = createIdempotency(core.db, core.now)
    openBackground(core, modules, idempotency, closing)
    const parts = { visitors, idempotency, metrics: createMetrics(), addressOf, accessLog: undefined }
    http = await openApi(core, { ...parts, modules: interruptible(modules) })
    await http.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    // Live streams left over by a failed test.
    closing.defer(() => http.server.closeAllConnections())
    return closing.disposeAsync()
  })
  beforeEach(() => {
    between = undefined
  })

  const call = async (path: string, headers: Record<string, string>, body?: unknown): Promise<Heard> => {
    const isForm = body instanceof FormData
    const response = await fetch(origin + path, {
      ...(body !== undefined && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
      redirect: 'manual',
      headers: { ...headers, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
    })
    const type = response.headers.get('content-type') ?? ''
    const text = type.includes('json') ? await response.text() : undefined
    return {
      status: response.status,
      body: text === undefined ? Buffer.from(await response.arrayBuffer()) : JSON.parse(text),
    }
  }

  /** A signed-in user. */
  const person = async () => {
    const { core, modules } = services()
    const uuid = await insertTestUser(core.db, {}, { plan_started_at: Date.now() })
    const { name, value } = parseSetCookie(await modules.sessions.service.begin(uuid, 'A browser')) ?? {}
    const cookie = { cookie: `${name}=${value}`, origin: BASE_URL }
    const inside = (workspace: string) => {
      const headers = { ...cookie, 'x-workspace': workspace }
      return {
        headers,
        get: (path: string) => call(path, headers),
        post: (path: string, body: unknown = {}, more: Record<string, string> = {}) =>
          call(path, { ...headers, ...more }, body),
      }
    }
    return { uuid, email: `${uuid}@example.com`, cookie, ...inside(uuid), inside }
  }
  type Person = Awaited<ReturnType<typeof person>>

  const newWorkspace = async (owner: Person): Promise<string> => {
    const { status, body } = await owner.post('/v1/create-workspace', { name: 'Second' })
    expect(status).toBe(201)
    return body.data.uuid as string
  }

  const invite = async (owner: Person, workspace: string, email: string, role: Role) => {
    const { status, body } = await owner.inside(workspace).post('/v1/invite-member', { email, role })
    expect(status).toBe(201)
    const token = new URL(body.data.invite_url as string).searchParams.get('token')
    return { uuid: body.data.uuid as string, token }
  }

  const join = async (owner: Person, workspace: string, role: Role): Promise<Person> => {
    const member = await person()
    const { token } = await invite(owner, workspace, member.email, role)
    expect((await member.post('/v1/accept-invitation', { token })).status).toBe(200)
    return member
  }

  /** The number of rows per table that belong to a workspace. */
  const rowsOf = async (workspace: string): Promise<Record<string, number>> => {
    const { db } = services().core
    const counts: Record<string, number> = {}
    for (const { name, columns } of await db.sql.introspection.getTables()) {
      if (!columns.some((column) => column.name === 'workspace_uuid')) continue
      const { count } = await db.sql
        .selectFrom(name as 'links')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('workspace_uuid', '=', workspace)
        .executeTakeFirstOrThrow()
      if (count > 0) counts[name] = count
    }
    return counts
  }

  /** The clicks of a live stream so far, and whether the server has ended it. */
  const listen = async (headers: Record<string, string>) => {
    const leaving = new AbortController()
    const response = await fetch(`${origin}/v1/live`, { headers, signal: leaving.signal })
    expect(response.status).toBe(200)
    const seen = { codes: [] as string[], ended: false }
    const read = async (): Promise<void> => {
      for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
        for (const [, code] of text.matchAll(/"code":"([^"]+)"/g)) seen.codes.push(code ?? '')
      seen.ended = true
    }
    void read().catch(() => undefined)
    return { seen, stop: () => leaving.abort() }
  }

  it('keeps two workspaces of the same user separate', async () => {
    const ann = await person()
    const second = ann.inside(await newWorkspace(ann))
    const bob = await join(ann, second.headers['x-workspace'], 'admin')
    const there = bob.inside(second.headers['x-workspace'])

    // Idempotency, links, totals.
    const once = { 'idempotency-key': 'once' }
    const first = (await ann.post('/v1/generate-link', { ...LINK, tag: 'first' }, once)).body.data
    const other = (await second.post('/v1/generate-link', { ...LINK, tag: 'second' }, once)).body.data
    const byBob = (await there.post('/v1/generate-link', LINK, once)).body.data
    expect(new Set([first.uuid, other.uuid, byBob.uuid]).size).toBe(3)
    const usage = async ({ get }: Pick<Person, 'get'>) =>
      (await get('/v1/current-plan')).body.data.usage.links as number
    expect([await usage(ann), await usage(second), await usage(there), await usage(bob)]).toEqual([
      1, 2, 2, 0,
    ])
    const tags = async ({ get }: Pick<Person, 'get'>) =>
      (await get('/v1/tags')).body.data.map(({ tag }: { tag: string }) => tag)
    expect([await tags(ann), await tags(second)]).toEqual([['first'], ['second']])
    for (const [path, body] of [
      ['/v1/edit-links', { uuid: other.uuid, ...LINK }],
      ['/v1/remove-links', { uuid: other.uuid }],
      ['/v1/simulate-link', { uuid: other.uuid }],
    ] as const)
      expect([path, (await ann.post(path, body)).status]).toEqual([path, 404])

    // Trash.
    await there.post('/v1/remove-links', { uuid: byBob.uuid })
    expect((await ann.get('/v1/trash')).body.data).toEqual([])
    expect((await second.get('/v1/trash')).body.data).toMatchObject([{ uuid: byBob.uuid }])
    for (const path of ['/v1/restore', '/v1/erase'])
      expect((await ann.post(path, { uuids: [byBob.uuid] })).status).toBe(404)

    // Brand kit, domains, webhooks.
    await there.post('/v1/edit-brand-kit', { color: '#ff0000' })
    expect((await ann.get('/v1/brand-kit')).body.data.color).toBeNull()
    expect((await second.get('/v1/brand-kit')).body.data.color).toBe('#ff0000')
    const domain = { name: `${crypto.randomUUID()}.example` }
    expect((await second.post('/v1/add-domain', domain)).status).toBe(201)
    const domains = async ({ get }: Pick<Person, 'get'>) =>
      (await get('/v1/domains')).body.data.map(({ name }: { name: string }) => name)
    expect(await domains(there)).toContain(domain.name)
    expect(await domains(ann)).not.toContain(domain.name)
    expect((await ann.post('/v1/remove-domain', domain)).status).toBe(404)
    const webhook = { url: 'https://receiver.example/' }
    const [mine, theirs] = [
      (await ann.post('/v1/add-webhook', webhook)).body.data.uuid,
      (await second.post('/v1/add-webhook', webhook)).body.data.uuid,
    ]
    await there.post('/v1/generate-link', LINK)
    const types = async ({ get }: Pick<Person, 'get'>, uuid: string) =>
      (await get(`/v1/webhook-deliveries?uuid=${uuid}`)).body.data?.map(({ type }: { type: string }) => type)
    expect([await types(ann, mine), await types(second, theirs)]).toEqual([[], ['link.created']])
    expect(await types(ann, theirs)).toBeUndefined()

    // Imports.
    const file = new FormData()
    file.append('background', 'true')
    file.append('file', new Blob(['url\nhttps://example.com/imported\n']), 'links.csv')
    const { body: imported } = await there.post('/v1/import-links', file)
    expect((await ann.get('/v1/imports')).body.data).toEqual([])
    expect((await ann.post('/v1/undo-import', { uuid: imported.import.uuid })).status).toBe(404)
    const states = async () => (await second.get('/v1/imports')).body.data[0].state as string
    await expect.poll(states, { timeout: 20_000 }).toBe('done')

    // Live streams, statistics, exports of clicks.
    const [annHere, annThere, bobHere, bobThere] = [
      await listen(ann.headers),
      await listen(second.headers),
      await listen(bob.headers),
      await listen(there.headers),
    ]
    expect((await call(`/${other.code}`, BROWSER)).status).toBe(302)
    for (const { seen } of [annThere, bobThere])
      await expect.poll(() => seen.codes, { timeout: 20_000 }).toEqual([other.code])
    const clicks = async ({ get }: Pick<Person, 'get'>) =>
      (await get('/v1/analytics')).body.data.totals.clicks as number
    await expect.poll(() => clicks(second), { timeout: 20_000 }).toBe(1)
    expect([await clicks(ann), await clicks(bob), annHere.seen.codes, bobHere.seen.codes]).toEqual([
      0,
      0,
      [],
      [],
    ])
    expect((await ann.get(`/v1/analytics?uuid=${other.uuid}`)).status).toBe(404)
    expect(String((await ann.get('/v1/export-clicks')).body)).not.toContain(other.code)

    // Takeouts: that of the first workspace includes the user's own data.
    await ann.post('/v1/add-feedback', { feedback: 'A word of Ann' })
    const takeout = async ({ get }: Pick<Person, 'get'>) =>
      gunzipSync((await get('/v1/takeout')).body as Buffer).toString()
    const [ofFirst, ofSecond] = [await takeout(ann), await takeout(second)]
    const own = ['profile-0001', 'workspaces-0001', 'sessions-0001', 'feedback-0001', 'A word of Ann']
    for (const word of [...own, first.uuid]) expect(ofFirst).toContain(word)
    for (const word of [other.uuid, 'clicks-0001']) expect(ofFirst).not.toContain(word)
    for (const word of [other.uuid, 'clicks-0001', 'members-0001']) expect(ofSecond).toContain(word)
    for (const word of [...own, first.uuid]) expect(ofSecond).not.toContain(word)

    // A removed member: the stream of this workspace ends, and that of the member's own continues.
    await second.post('/v1/remove-member', { uuid: bob.uuid })
    await expect.poll(() => bobThere.seen.ended, { timeout: 20_000 }).toBe(true)
    expect([annThere.seen.ended, bobHere.seen.ended]).toEqual([false, false])
    expect(await there.get('/v1/links')).toEqual({ status: 404, body: NO_WORKSPACE })

    // Erasure.
    const before = await rowsOf(ann.uuid)
    expect((await second.post('/v1/remove-workspace')).status).toBe(200)
    await expect.poll(() => rowsOf(second.headers['x-workspace']), { timeout: 20_000 }).toEqual({})
    expect(await rowsOf(ann.uuid)).toEqual(before)
    await expect.poll(() => annThere.seen.ended, { timeout: 20_000 }).toBe(true)
    expect([(await call(`/${other.code}`, {})).status, (await call(`/${first.code}`, {})).status]).toEqual([
      410, 302,
    ])
    for (const { stop } of [annHere, bobHere]) stop()
  })

  it('a quota belongs to the workspace', async () => {
    const { modules } = services()
    const ann = await person()
    const workspace = await newWorkspace(ann)
    const { quotas, storage } = modules.accounts
    await services().core.db.write(() => quotas.adjust(workspace, 'links', 7))
    const used = async (of: string) => (await ann.inside(of).get('/v1/current-plan')).body.data.usage.links
    expect([await used(ann.uuid), await used(workspace)]).toEqual([0, 7])
    await expect(storage.charge(ann.uuid, 1)).resolves.toBeUndefined()
    const [mine, theirs] = await Promise.all(
      [ann.uuid, workspace].map(async (of) => (await ann.inside(of).get('/v1/download-invoice')).body.data),
    )
    expect(mine.number).not.toBe(theirs.number)
    expect(mine.buyer.email).toBe(theirs.buyer.email)
  })

  it('a kept key acts with the role of its removed creator, and for no user', async () => {
    const { modules } = services()
    const ann = await person()
    const bob = await join(ann, ann.uuid, 'admin')
    const there = bob.inside(ann.uuid)
    const { data: key } = (await there.post('/v1/generate-key', {})).body
    const { data: token } = (await there.post('/v1/generate-token', { name: 'CI' })).body
    const headers = { authorization: `Bearer ${token.token}` }
    const get = (path: string) => call(path, headers)
    const post = (path: string, body: unknown = {}) => call(path, headers, body)
    const listening = await listen(headers)
    expect((await ann.post('/v1/remove-member', { uuid: bob.uuid, keep_keys: true })).status).toBe(200)
    for (const path of ['/v1/keys', '/v1/tokens'])
      expect((await ann.get(path)).body.data).toMatchObject([{ created_by: null }])
    expect((await call('/v1/links', { 'x-api-key': key.api_key })).status).toBe(200)

    // Nothing of the owner who removed the creator.
    for (const [path, body] of [
      ['/v1/profile', undefined],
      ['/v1/workspaces', undefined],
      ['/v1/update-personal-info', { first_name: 'Eve' }],
      ['/v1/add-feedback', { feedback: 'Eve' }],
      ['/v1/create-workspace', { name: 'Eve' }],
    ] as const)
      expect([path, await call(path, headers, body)]).toEqual([
        path,
        { status: 403, body: { error: 'This belongs to no user: it was kept when its creator was removed' } },
      ])
    for (const [path, body] of [
      ['/v1/takeout', undefined],
      ['/v1/remove-workspace', {}],
      ['/v1/invite-member', { email: 'eve@example.com', role: 'owner' }],
      ['/v1/edit-member', { uuid: ann.uuid, role: 'viewer' }],
      ['/v1/remove-member', { uuid: ann.uuid }],
    ] as const) {
      const { status, body: refused } = await call(path, headers, body)
      expect([path, status, refused.role]).toEqual([path, 403, 'owner'])
    }

    // What an admin may do, in the name of no user.
    const ofNobody = { created_by: null }
    const { data: link } = (await post('/v1/generate-link', { link: 'https://example.com/' })).body
    expect(link).toMatchObject(ofNobody)
    const { data: webhook } = (await post('/v1/add-webhook', { url: 'https://receiver.example/' })).body
    expect(webhook).toMatchObject(ofNobody)
    expect((await post('/v1/share-statistics', { uuid: link.uuid })).body.data).toMatchObject(ofNobody)
    expect((await post('/v1/edit-workspace', { name: 'Ours' })).body.data).toMatchObject({ role: 'admin' })
    const factor = await post('/v1/edit-workspace', { require_second_factor: true })
    expect(factor.status).toBe(422)
    const carl = await person()
    const invited = await post('/v1/invite-member', { email: carl.email, role: 'admin' })
    expect([invited.status, invited.body.data.created_by]).toEqual([201, null])
    const shown = new URL(invited.body.data.invite_url as string).searchParams.get('token')
    expect((await carl.post('/v1/check-invitation', { token: shown })).body.data.invited_by).toBeNull()
    const form = new FormData()
    form.append('background', 'true')
    form.append('file', new Blob(['url\nhttps://example.com/imported\n']), 'links.csv')
    expect((await post('/v1/import-links', form)).status).toBe(201)
    const states = async () => (await get('/v1/imports')).body.data[0].state as string
    await expect.poll(states, { timeout: 20_000 }).toBe('done')
    expect((await get('/v1/links')).body.data).toMatchObject([ofNobody, ofNobody])
    const change = { uuids: [link.uuid], change: { add_tags: ['spring'] } }
    expect((await post('/v1/bulk-edit-links', change)).status).toBe(200)
    const { data: log } = (await ann.get(`/v1/audit-log?credential=${token.uuid}`)).body
    expect(log.length).toBeGreaterThan(6)
    for (const entry of log) expect(entry).toMatchObject({ actor: 'token', user: null })
    expect(listening.seen.ended).toBe(false)

    // Neither the return of its creator, nor a new password, nor the end of the account changes it.
    const { token: back } = await invite(ann, ann.uuid, bob.email, 'viewer')
    expect((await bob.post('/v1/accept-invitation', { token: back })).status).toBe(200)
    const row = await modules.accounts.users.find(bob.uuid)
    if (row === undefined) throw new Error('Bob is gone')
    const { url } = await modules.sessions.recovery.createResetLink(row)
    const password = 'Another-horse-2'
    const reset = { token: new URL(url).searchParams.get('token'), password, confirm_password: password }
    expect((await call('/v1/reset-password', { origin: BASE_URL }, reset)).status).toBe(200)
    expect((await post('/v1/generate-link', { link: 'https://example.com/2' })).status).toBe(201)
    await modules.accounts.removal.remove(bob.uuid, 'Enough')
    expect((await post('/v1/generate-link', { link: 'https://example.com/3' })).status).toBe(201)
    // Nor does one of the owner: the webhook belongs to no user either.
    await modules.webhooks.service.disableAll(ann.uuid, 'The password of the account was reset')
    expect((await get('/v1/webhooks')).body.data).toMatchObject([{ uuid: webhook.uuid, enabled: true }])
    expect((await ann.post('/v1/remove-token', { uuid: token.uuid })).status).toBe(200)
    expect((await get('/v1/links')).status).toBe(401)
    await expect.poll(() => listening.seen.ended, { timeout: 20_000 }).toBe(true)
  })

  it('grants only rights that the key or token has', async () => {
    const ann = await person()
    const bob = await join(ann, ann.uuid, 'viewer')
    const withScopes = async (scopes?: string[]) => {
      const { data } = (await ann.post('/v1/generate-token', { scopes })).body
      const headers = { authorization: `Bearer ${data.token}` }
      return {
        invite: async (role: Role) => {
          const email = `${crypto.randomUUID()}@example.com`
          const { status, body } = await call('/v1/invite-member', headers, { email, role })
          return [status, body.scope]
        },
        edit: async (role: Role) => {
          const { status, body } = await call('/v1/edit-member', headers, { uuid: bob.uuid, role })
          return [status, body.scope]
        },
      }
    }
    const account = await withScopes(['account:write'])
    const reads = ['links:read', 'codes:read', 'pages:read', 'analytics:read', 'domains:read']
    const reader = await withScopes([...reads, 'account:write'])
    const editor = await withScopes([
      'links:write',
      'codes:write',
      'pages:write',
      'analytics:read',
      'domains:read',
      'account:write',
    ])
    const admin = await withScopes(scopesOfRole('admin'))
    for (const [by, role, wanted] of [
      [account, 'viewer', [403, 'links:read']],
      [account, 'admin', [403, 'links:write']],
      [reader, 'viewer', [201, undefined]],
      [reader, 'editor', [403, 'links:write']],
      [editor, 'editor', [201, undefined]],
      [editor, 'admin', [403, 'analytics:write']],
      [admin, 'admin', [201, undefined]],
      [admin, 'owner', [201, undefined]],
      [await withScopes(), 'owner', [201, undefined]],
    ] as const) {
      expect([role, await by.invite(role)]).toEqual([role, wanted])
      const [status, scope] = wanted
      expect([role, await by.edit(role)]).toEqual([role, [status === 201 ? 200 : status, scope]])
    }
    expect((await ann.post('/v1/invite-member', { email: 'eve@example.com', role: 'admin' })).status).toBe(
      201,
    )
  })

  it('keys and tokens that are created while their creator is removed, or resets the password, do not last', async () => {
    const { modules } = services()
    const ann = await person()
    for (const name of ['generateKey', 'generateToken'] as const) {
      const path = name === 'generateKey' ? '/v1/generate-key' : '/v1/generate-token'
      const bob = await join(ann, ann.uuid, 'admin')
      between = { name, work: () => ann.post('/v1/remove-member', { uuid: bob.uuid, keep_keys: true }) }
      expect([path, (await bob.inside(ann.uuid).post(path)).status]).toEqual([path, 404])
      const carl = await join(ann, ann.uuid, 'admin')
      const kept = { session: undefined, keys: false }
      between = { name, work: () => modules.accounts.service.setPassword(carl.uuid, '', kept, 'reset') }
      expect([path, (await carl.inside(ann.uuid).post(path)).status]).toEqual([path, 401])

      // At once: whatever is returned with 201 was revoked afterwards.
      const dan = await join(ann, ann.uuid, 'admin')
      const [removed, ...made] = await Promise.all([
        ann.post('/v1/remove-member', { uuid: dan.uuid }),
        ...Array.from({ length: 6 }, () => dan.inside(ann.uuid).post(path)),
      ])
      expect(removed.status).toBe(200)
      for (const { status } of made) expect([201, 404]).toContain(status)
    }
    for (const path of ['/v1/keys', '/v1/tokens'])
      expect([path, (await ann.get(path)).body.data]).toEqual([path, []])
  })

  it('an invitation makes one account, at once too, and joins it in the same transaction', async () => {
    const ann = await person()
    const signUp = (token: string | null, email = `${crypto.randomUUID()}@example.com`) =>
      call('/v1/sign-up', { origin: BASE_URL }, { email, password: 'Correct-horse-1', invitation: token })
    const taken = await person()
    const { token } = await invite(ann, ann.uuid, 'eve@example.com', 'editor')
    // An account that is not created does not use it up.
    expect((await signUp(token, taken.email)).status).toBe(409)
    const answers = await Promise.all([signUp(token), signUp(token), signUp(token)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403, 403])
    const gone = { error: 'This invitation is no longer valid; ask for a new one' }
    expect(await signUp(token)).toEqual({ status: 403, body: gone })
    const [, member, ...others] = (await ann.get('/v1/members')).body.data
    expect([member.role, others]).toEqual(['editor', []])
    expect((await ann.get('/v1/invitations')).body.data).toEqual([])
    const { data: log } = (await ann.get('/v1/audit-log?operation=acceptInvitation')).body
    expect(log).toMatchObject([
      { actor: 'user', user: { uuid: member.uuid }, resources: [{ uuid: ann.uuid }] },
    ])
    const withdrawn = await invite(ann, ann.uuid, 'eve@example.com', 'editor')
    await ann.post('/v1/remove-invitation', { uuid: withdrawn.uuid })
    expect((await signUp(withdrawn.token)).status).toBe(403)
  })

  it('a user accepts at most 50 memberships, at once too', async () => {
    const { core, modules } = services()
    const ann = await person()
    const bob = await person()
    const { workspaces } = modules.accounts
    for (let n = 0; n < 46; n++) {
      const row = { user_uuid: bob.uuid, role: 'viewer' as const, created_at: 1 }
      const workspace_uuid = await insertTestUser(core.db)
      await core.db.write(() => workspaces.insertMember({ ...row, workspace_uuid }))
    }
    const tokens: (string | null)[] = []
    for (let n = 0; n < 6; n++) {
      const owner = n === 0 ? ann : await person()
      tokens.push((await invite(owner, owner.uuid, bob.email, 'viewer')).token)
    }
    const answers = await Promise.all(tokens.map((token) => bob.post('/v1/accept-invitation', { token })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 409, 409, 409,
    ])
    expect((await bob.get('/v1/workspaces')).body.data).toHaveLength(50)
  })

  it('after the first workspace was removed, the oldest one left is the first', async () => {
    const { modules } = services()
    const ann = await person()
    const [second, third] = [await newWorkspace(ann), await newWorkspace(ann)]
    const tokenOf = async (workspace: string) => {
      const { data } = (await ann.inside(workspace).post('/v1/generate-token')).body
      return { authorization: `Bearer ${data.token}` }
    }
    const [ofSecond, ofThird] = [await tokenOf(second), await tokenOf(third)]
    const rename = (headers: Record<string, string>) =>
      call('/v1/update-personal-info', headers, { first_name: 'Ann' })
    expect((await rename(ofSecond)).status).toBe(403)
    await ann.post('/v1/add-feedback', { feedback: 'A word of Ann' })
    expect((await ann.post('/v1/remove-workspace')).status).toBe(200)
    await expect.poll(() => rowsOf(ann.uuid), { timeout: 20_000 }).toEqual({})

    expect([(await rename(ofSecond)).status, (await rename(ofThird)).status]).toEqual([200, 403])
    const seen = async (headers: Record<string, string>) =>
      (await call('/v1/workspaces', headers)).body.data.map(({ uuid }: { uuid: string }) => uuid)
    expect([await seen(ofSecond), await seen(ofThird)]).toEqual([[second, third], [third]])
    // A session without X-WORKSPACE, and a write about the user, which is stored for a replay.
    await ann.inside(second).post('/v1/generate-link', LINK)
    const without = (path: string, more = {}, body?: unknown) => call(path, { ...ann.cookie, ...more }, body)
    expect((await without('/v1/links')).body.meta.total).toBe(1)
    const once = { 'idempotency-key': 'once' }
    const fields = { first_name: 'Anna' }
    expect((await without('/v1/update-personal-info', once, fields)).status).toBe(200)
    const { data: log } = (await ann.inside(second).get('/v1/audit-log?operation=updatePersonalInfo')).body
    expect(log).toHaveLength(2)
    const takeout = async (workspace: string) =>
      gunzipSync((await ann.inside(workspace).get('/v1/takeout')).body as Buffer).toString()
    expect(await takeout(second)).toContain('A word of Ann')
    expect(await takeout(third)).not.toContain('A word of Ann')

    await modules.abuse.service.suspend(second, null)
    await modules.abuse.registry.refresh()
    expect((await without('/v1/profile')).status).toBe(403)
    await modules.abuse.service.resume(second, 'Second')
    await modules.abuse.registry.refresh()
    expect((await without('/v1/profile')).status).toBe(200)
  })

  it('the suspension of a workspace of others leaves its members their own rights', async () => {
    const { modules } = services()
    const ann = await person()
    const bob = await join(ann, ann.uuid, 'viewer')
    expect((await bob.post('/v1/remove-workspace')).status).toBe(200)
    await modules.abuse.service.suspend(ann.uuid, null)
    await modules.abuse.registry.refresh()
    const own = (path: string, body?: unknown) => call(path, bob.cookie, body)
    expect((await own('/v1/links')).status).toBe(403)
    expect((await own('/v1/create-workspace', { name: 'Own' })).status).toBe(201)
    expect((await own('/v1/leave-workspace', { uuid: ann.uuid })).status).toBe(200)
    expect((await call('/v1/profile', ann.cookie)).status).toBe(403)
  })

  it('shows records and settings of domains only to those who manage them', async () => {
    const ann = await person()
    const name = `${crypto.randomUUID()}.example`
    expect((await ann.post('/v1/add-domain', { name })).status).toBe(201)
    const [editor, admin] = [await join(ann, ann.uuid, 'editor'), await join(ann, ann.uuid, 'admin')]
    const tokenOf = async (scopes?: string[]) => {
      const { data } = (await ann.post('/v1/generate-token', { scopes })).body
      return { authorization: `Bearer ${data.token}` }
    }
    const { data: key } = (await ann.post('/v1/generate-key')).body
    const seen = async (headers: Record<string, string>) =>
      (await call('/v1/domains', headers)).body.data.find((domain: { name: string }) => domain.name === name)
    const nothing = {
      name,
      verified: false,
      txt_name: null,
      txt_value: null,
      records: [],
      root_url: null,
      brand_name: null,
    }
    for (const headers of [editor.inside(ann.uuid).headers, { 'x-api-key': key.api_key as string }])
      expect(await seen(headers)).toMatchObject(nothing)
    for (const headers of [ann.headers, admin.inside(ann.uuid).headers, await tokenOf(['domains:read'])])
      expect(await seen(headers)).toMatchObject({
        txt_name: `_waymark.${name}`,
        records: [{ type: 'TXT' }, {}],
      })
  })

  it('suspending a workspace does not affect the other one of its user', async () => {
    const { modules } = services()
    const ann = await person()
    const workspace = await newWorkspace(ann)
    await modules.abuse.service.suspend(workspace, null)
    await modules.abuse.registry.refresh()
    expect((await ann.inside(workspace).get('/v1/links')).status).toBe(403)
    expect((await ann.get('/v1/links')).status).toBe(200)
    await modules.abuse.service.resume(workspace, 'Second')
    await modules.abuse.registry.refresh()
    expect((await ann.inside(workspace).get('/v1/links')).status).toBe(200)
  })

  it('404, or 401 for keys and tokens, if the workspace is removed during a request', async () => {
    const { modules } = services()
    const qr = { url: 'https://example.com/', pattern: 'dots' }
    const removing = async (name: OperationName, path: string, body: unknown, kind: string) => {
      const ann = await person()
      const workspace = await newWorkspace(ann)
      const owner = { workspaceUuid: workspace, userUuid: ann.uuid }
      const { token } = await modules.keys.tokens.create(owner, {})
      const { headers, post } = ann.inside(workspace)
      between = { name, work: () => post('/v1/remove-workspace') }
      const answer = await call(path, kind === 'token' ? { authorization: `Bearer ${token}` } : headers, body)
      expect((await ann.get('/v1/links')).body.meta.total).toBe(0)
      await expect.poll(() => rowsOf(workspace), { timeout: 20_000 }).toEqual({})
      return answer
    }
    for (const [name, path, body] of [
      ['generateQr', '/v1/generate-qr', qr],
      ['generateLink', '/v1/generate-link', LINK],
      ['editBrandKit', '/v1/edit-brand-kit', { color: '#ff0000' }],
      ['currentPlan', '/v1/current-plan', undefined],
    ] as const)
      expect([name, await removing(name, path, body, 'session')]).toEqual([
        name,
        { status: 404, body: NO_WORKSPACE },
      ])
    expect(await removing('generateLink', '/v1/generate-link', LINK, 'token')).toEqual({
      status: 401,
      body: { error: 'Invalid access token' },
    })
  })

  it('removing a workspace during an import leaves nothing of it', async () => {
    const ann = await person()
    const workspace = await newWorkspace(ann)
    const { post, get } = ann.inside(workspace)
    const file = new FormData()
    const rows = Array.from({ length: 3_000 }, (_, n) => `https://example.com/${n}`)
    file.append('file', new Blob([`url\n${rows.join('\n')}\n`]), 'links.csv')
    expect((await post('/v1/import-links', file)).body.import.state).toBe('running')
    const created = async () => (await get('/v1/imports')).body.data[0].created as number
    await expect.poll(created, { timeout: 20_000 }).toBeGreaterThan(0)
    expect((await post('/v1/remove-workspace')).status).toBe(200)
    await expect.poll(() => rowsOf(workspace), { timeout: 20_000 }).toEqual({})
    expect(await get('/v1/imports')).toEqual({ status: 404, body: NO_WORKSPACE })
  })

  it('a member who is removed during an upload has stored nothing', async () => {
    const ann = await person()
    const bob = await join(ann, ann.uuid, 'editor')
    const there = bob.inside(ann.uuid)
    const request = httpRequest(`${origin}/v1/generate-link`, {
      method: 'POST',
      headers: { ...there.headers, 'content-type': 'application/json' },
    })
    request.write('{"link":')
    expect((await ann.post('/v1/remove-member', { uuid: bob.uuid })).status).toBe(200)
    request.end('"https://example.com/"}')
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume: () => void }]
    response.resume()
    expect(response.statusCode).toBe(404)
    expect((await ann.get('/v1/links')).body.meta.total).toBe(0)
  })

  it('invitations that are expired or of another workspace, and one that another user accepts', async () => {
    const { db } = services().core
    const [ann, bob, carl] = [await person(), await person(), await person()]
    const expired = await invite(ann, ann.uuid, bob.email, 'viewer')
    await db.write(() =>
      db.sql.updateTable('invitations').set({ expires_at: 1 }).where('uuid', '=', expired.uuid).execute(),
    )
    const gone = { error: 'This invitation is no longer valid; ask for a new one' }
    expect(await bob.post('/v1/accept-invitation', { token: expired.token })).toEqual({
      status: 422,
      body: gone,
    })
    const { uuid, token } = await invite(ann, ann.uuid, bob.email, 'viewer')
    expect((await carl.post('/v1/remove-invitation', { uuid })).status).toBe(404)
    expect((await carl.get('/v1/invitations')).body.data).toEqual([])
    // The recipient joins with the signed-in account, once.
    expect((await carl.post('/v1/accept-invitation', { token })).status).toBe(200)
    expect((await bob.post('/v1/accept-invitation', { token })).status).toBe(422)
    const members = (await ann.get('/v1/members')).body.data.map((member: { uuid: string }) => member.uuid)
    expect(members).toEqual([ann.uuid, carl.uuid])
    const left = await newWorkspace(ann)
    const { token: late } = await invite(ann, left, bob.email, 'viewer')
    await ann.inside(left).post('/v1/remove-workspace')
    expect((await bob.post('/v1/accept-invitation', { token: late })).status).toBe(422)
  })

  it('invitations end with the role that was needed to make them', async () => {
    const ann = await person()
    const joiner = await person()
    const valid = async (token: string | null) =>
      (await joiner.post('/v1/check-invitation', { token })).status === 200
    const inviter = async (role: Role) => {
      const bob = await join(ann, ann.uuid, role)
      const invited = await Promise.all(
        (role === 'owner' ? (['viewer', 'owner'] as const) : (['viewer', 'admin'] as const)).map((to) =>
          invite(bob, ann.uuid, `${crypto.randomUUID()}@example.com`, to),
        ),
      )
      const tokens = invited.map(({ token }) => token)
      return { bob, tokens, left: async () => Promise.all(tokens.map(valid)) }
    }
    const kept = await inviter('admin')
    const lower = ({ uuid }: Person, role: Role) => ann.post('/v1/edit-member', { uuid, role })

    const owner = await inviter('owner')
    await lower(owner.bob, 'admin')
    expect(await owner.left()).toEqual([true, false])
    await lower(owner.bob, 'editor')
    expect(await owner.left()).toEqual([false, false])

    const removed = await inviter('admin')
    await ann.post('/v1/remove-member', { uuid: removed.bob.uuid, keep_keys: true })
    expect(await removed.left()).toEqual([false, false])
    const [, token] = removed.tokens
    expect((await removed.bob.post('/v1/accept-invitation', { token })).status).toBe(422)

    const left = await inviter('admin')
    await left.bob.post('/v1/leave-workspace', { uuid: ann.uuid })
    const gone = await inviter('admin')
    await gone.bob.post('/v1/remove-account', { reason: 'Enough' })
    expect([await left.left(), await gone.left()]).toEqual([
      [false, false],
      [false, false],
    ])
    expect(await kept.left()).toEqual([true, true])
  })

  it('invitations end with the key or token that made them, and wait while the workspace is suspended', async () => {
    const { modules } = services()
    const ann = await person()
    const made = async (headers: Record<string, string>) => {
      const fields = { email: `${crypto.randomUUID()}@example.com`, role: 'admin' }
      const { body } = await call('/v1/invite-member', headers, fields)
      const token = new URL(body.data.invite_url as string).searchParams.get('token')
      return async () => (await call('/v1/check-invitation', { origin: BASE_URL }, { token })).status
    }
    const { uuid, token } = (await ann.post('/v1/generate-token')).body.data
    const byToken = await made({ authorization: `Bearer ${token}` })
    const bySession = await made(ann.headers)
    expect([await byToken(), await bySession()]).toEqual([200, 200])
    expect((await ann.post('/v1/remove-token', { uuid })).status).toBe(200)
    expect([await byToken(), await bySession()]).toEqual([422, 200])
    await modules.abuse.service.suspend(ann.uuid, null)
    expect(await bySession()).toBe(422)
    await modules.abuse.service.resume(ann.uuid, ann.email)
    expect(await bySession()).toBe(200)
  })

  it('changes no address in a session that a password change ends meanwhile', async () => {
    const { modules } = services()
    const ann = await person()
    const kept = { session: undefined, keys: true }
    between = {
      name: 'changeEmail',
      work: () => modules.accounts.service.setPassword(ann.uuid, '', kept, 'change'),
    }
    expect((await ann.post('/v1/change-email', { email: 'eve@example.com' })).status).toBe(401)
    expect(await modules.accounts.users.find(ann.uuid)).toMatchObject({ email: ann.email })
  })

  it('an admin or owner who is lowered during a request invites, edits and removes no member', async () => {
    const ann = await person()
    const carl = await join(ann, ann.uuid, 'editor')
    for (const [name, path, body, least] of [
      ['inviteMember', '/v1/invite-member', { email: 'eve@example.com', role: 'viewer' }, 'admin'],
      ['editMember', '/v1/edit-member', { uuid: carl.uuid, role: 'viewer' }, 'admin'],
      ['removeMember', '/v1/remove-member', { uuid: carl.uuid }, 'admin'],
      ['editMember', '/v1/edit-member', { role: 'owner' }, 'owner'],
    ] as const) {
      const bob = await join(ann, ann.uuid, 'owner')
      between = { name, work: () => ann.post('/v1/edit-member', { uuid: bob.uuid, role: 'viewer' }) }
      const answer = await bob.inside(ann.uuid).post(path, { uuid: bob.uuid, ...body })
      expect([path, answer.status, answer.body.role]).toEqual([path, 403, least])
    }
    const roles = (await ann.get('/v1/members')).body.data.map(({ role }: { role: Role }) => role)
    expect(roles).toEqual(['owner', 'editor', 'viewer', 'viewer', 'viewer', 'viewer'])
    expect((await ann.get('/v1/invitations')).body.data).toEqual([])
  })

  it('an entry of the audit log names what was changed, and no by-products', async () => {
    const ann = await person()
    const url = 'https://example.com/'
    const codes = { qrcodes: [{ url, pattern: 'dots' }], barcodes: [{ url }] }
    const { data: made } = (await ann.post('/v1/generate-codes', codes)).body
    const { data: link } = (await ann.post('/v1/generate-link', LINK)).body
    const change = { change: { add_tags: ['spring'] } }
    const { status } = await ann.post('/v1/bulk-edit-links', { uuids: [link.uuid], ...change })
    const { data: webhook } = (await ann.post('/v1/add-webhook', { url: 'https://receiver.example/' })).body
    await ann.post('/v1/test-webhook', { uuid: webhook.uuid })
    const resources = async (operation: string) => {
      const [entry] = (await ann.get(`/v1/audit-log?operation=${operation}`)).body.data
      return [entry.resource_count, ...entry.resources.map(({ uuid }: { uuid: string }) => uuid)]
    }
    expect(status).toBe(200)
    expect(await resources('generateCodes')).toEqual([2, made.qrcodes[0].uuid, made.barcodes[0].uuid])
    expect(await resources('bulkEditLinks')).toEqual([1, link.uuid])
    expect(await resources('testWebhook')).toEqual([1, webhook.uuid])
  })

  it('a token of an owner removes the workspace, with the scope', async () => {
    const ann = await person()
    const there = ann.inside(await newWorkspace(ann))
    const remove = async (fields: object) => {
      const { token } = (await there.post('/v1/generate-token', fields)).body.data
      return call('/v1/remove-workspace', { authorization: `Bearer ${token}` }, {})
    }
    expect((await remove({ scopes: ['account:read'] })).body.scope).toBe('account:write')
    expect((await remove({ scopes: ['account:write'] })).status).toBe(200)
    expect((await there.get('/v1/links')).status).toBe(404)
  })

  it('a password reset is in the log of every workspace of the user, and ends keys and invitations there', async () => {
    const { modules } = services()
    const ann = await person()
    const bob = await join(ann, ann.uuid, 'admin')
    const { data: key } = (await bob.inside(ann.uuid).post('/v1/generate-key')).body
    const { token: invited } = await invite(bob, ann.uuid, 'eve@example.com', 'admin')
    const row = await modules.accounts.users.find(bob.uuid)
    if (row === undefined) throw new Error('Bob is gone')
    const { url } = await modules.sessions.recovery.createResetLink(row)
    const password = 'Another-horse-2'
    const body = { token: new URL(url).searchParams.get('token'), password, confirm_password: password }
    expect((await call('/v1/reset-password', { origin: BASE_URL }, body)).status).toBe(200)
    expect((await call('/v1/links', { 'x-api-key': key.api_key })).status).toBe(401)
    expect((await ann.post('/v1/check-invitation', { token: invited })).status).toBe(422)
    const { data } = (await ann.get('/v1/audit-log?operation=resetPassword')).body
    expect(data).toMatchObject([{ actor: 'user', user: { uuid: bob.uuid } }])
  })

  it('keys and tokens: addresses behind a proxy, another workspace, a creator with a lower role', async () => {
    const ann = await person()
    const bob = await join(ann, ann.uuid, 'admin')
    const there = bob.inside(ann.uuid)
    const make = async (fields: object) => {
      const { data } = (await there.post('/v1/generate-token', fields)).body
      return { authorization: `Bearer ${data.token}` }
    }
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const office = await make({ allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'] })
    for (const [address, status] of [
      ['203.0.113.9', 200],
      ['::ffff:203.0.113.9', 200],
      ['2001:db8::1', 200],
      // Only the last address was appended by the trusted proxy.
      ['198.51.100.1, 203.0.113.9', 200],
      ['203.0.113.9, 198.51.100.1', 401],
      ['::ffff:198.51.100.1', 401],
      ['2001:db9::1', 401],
    ] as const)
      expect([address, (await call('/v1/links', { ...office, ...from(address) })).status]).toEqual([
        address,
        status,
      ])
    const { api_key } = (await there.post('/v1/generate-key', {})).body.data
    for (const workspace of [bob.uuid, crypto.randomUUID(), 'nothing'])
      expect(await call('/v1/links', { 'x-api-key': api_key, 'x-workspace': workspace })).toEqual({
        status: 404,
        body: NO_WORKSPACE,
      })
    const all = await make({})
    const own = { authorization: `Bearer ${(await bob.post('/v1/generate-token', {})).body.data.token}` }
    const seen = async (headers: Record<string, string>) =>
      (await call('/v1/workspaces', headers)).body.data.map(({ uuid }: { uuid: string }) => uuid)
    expect([await seen(all), await seen(own)]).toEqual([[ann.uuid], [bob.uuid, ann.uuid]])
    // The key decides, with or without a valid token beside it.
    expect((await call('/v1/links', { ...all, 'x-api-key': 'wm_no' })).body.error).toBe('Invalid API key')
    expect((await call('/v1/current-plan', { ...all, 'x-api-key': api_key })).body.error).toBe(
      'Signature missing',
    )
    expect((await call('/v1/generate-link', all, LINK)).status).toBe(201)
    // Rights that depend on the fields count as well.
    expect((await there.post('/v1/edit-member', { uuid: ann.uuid, role: 'viewer' })).body.role).toBe('owner')
    const { data: counted } = (await ann.get('/v1/audit-log?operation=editMember')).body
    expect(counted).toMatchObject([{ user: { uuid: bob.uuid }, rejected: 1 }])
    await ann.post('/v1/edit-member', { uuid: bob.uuid, role: 'viewer' })
    const refused = await call('/v1/generate-link', all, LINK)
    expect([refused.status, refused.body.role]).toEqual([403, 'editor'])
    expect((await call('/v1/links', all)).status).toBe(200)
  })
})
