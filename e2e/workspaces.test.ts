import { describe, expect, it } from 'vitest'
import { operations as published } from './support/operations.ts'
import { leastNested, newSlug } from './support/pages.ts'
import { type Answered, get, post } from './support/requests.ts'
import { forEachStack, onStack } from './support/stacks.ts'
import { call, newEmail, PASSWORD, Visitor } from './support/visitors.ts'
import type { Account, Waymark } from './support/waymark.ts'

const LINK = { link: 'https://example.com/' }

/** Someone who signed up and is signed in. */
async function person(waymark: Waymark, from?: string) {
  const visitor = new Visitor(waymark, from)
  const email = newEmail()
  await visitor.signUp(email)
  const [{ uuid }] = (await visitor.get('/v1/workspaces')).body.data
  const inside = (workspace: string) => ({
    get: (path: string) => visitor.call('GET', path, undefined, { 'x-workspace': workspace }),
    post: (path: string, body: unknown = {}) => visitor.post(path, body, { 'x-workspace': workspace }),
  })
  return { visitor, email, uuid: uuid as string, ...inside(uuid), inside }
}

const tokenIn = (url: string): string => new URL(url).searchParams.get('token') ?? ''

/** Calls the 27 operations of the published interface, each so that it succeeds for the key of a first workspace. */
async function allOperations(waymark: Waymark, account: Account): Promise<Map<string, Answered>> {
  const answers = new Map<string, Answered>()
  const call = async (path: string, body?: Record<string, unknown>) => {
    const answer = await (body === undefined
      ? get(waymark, account, path)
      : post(waymark, account, path, body))
    answers.set(path, answer)
    return (answer.body.data?.uuid ?? '') as string
  }
  const url = 'https://example.com/'
  const utm = { url, source: 'a', medium: 'b', campaign: 'c', content: 'd' }
  const page = leastNested(newSlug())
  for (const [list, noun, edit, fields] of [
    ['barcode', 'barcode', 'edit-barcode', { url }],
    ['qrcode', 'qr', 'edit-qr', { url, pattern: 'dots' }],
    ['utm', 'utm', 'edit-utm', utm],
    ['links', 'link', 'edit-links', LINK],
    ['pages', 'page', 'edit-page', page],
  ] as const) {
    const uuid = await call(`/v1/generate-${noun}`, fields)
    await call(`/v1/${edit}`, { ...fields, uuid })
    await call(`/v1/${list}`)
    expect(answers.get(`/v1/${list}`)?.body.data).toMatchObject([{ uuid }])
    await call(`/v1/${noun === 'link' ? 'remove-links' : `remove-${noun}`}`, { uuid })
  }
  for (const path of ['healthcheck', 'current-plan', 'download-invoice']) await call(`/v1/${path}`)
  await call('/v1/add-feedback', { feedback: 'Fine' })
  await call('/v1/update-personal-info', { first_name: 'Ann' })
  const next = `${account.password}-2`
  const passwords = { old_password: account.password, password: next, confirm_password: next }
  await call('/v1/update-password', passwords)
  await call('/v1/remove-account', { reason: 'Enough' })
  return answers
}

/** The names of all fields of a response, without their values. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (value === null || typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}

interface LoggedEntry {
  readonly operation: string
  readonly user: { readonly uuid: string }
  readonly fields: readonly string[]
  readonly resources: readonly { readonly name: string | null }[]
  readonly rejected: number
}

/** A member of the owner's first workspace. */
async function join(waymark: Waymark, owner: Awaited<ReturnType<typeof person>>, role: string) {
  const member = await person(waymark)
  const { body } = await owner.post('/v1/invite-member', { email: member.email, role })
  const { status } = await member.visitor.post('/v1/accept-invitation', {
    token: tokenIn(body.data.invite_url),
  })
  expect(status).toBe(200)
  return member
}

const inTwoProcesses = (body: (waymark: () => Waymark) => void): void => forEachStack(body, { WORKERS: '2' })

inTwoProcesses((waymark) => {
  it('a member works in the workspace of another user, and in their own', async () => {
    const owner = await person(waymark())
    const editor = await join(waymark(), owner, 'editor')
    const there = editor.inside(owner.uuid)
    const by = { created_by: editor.uuid }
    expect((await there.post('/v1/generate-link', LINK)).body.data).toMatchObject(by)
    const { data } = (await owner.get('/v1/links')).body
    expect(data).toMatchObject([by])
    const qr = { url: 'https://example.com/', pattern: 'dots' }
    expect((await there.post('/v1/generate-qr', qr)).body.data).toMatchObject(by)
    expect((await there.post('/v1/generate-barcode', { url: qr.url })).body.data).toMatchObject(by)
    expect((await editor.get('/v1/links')).body.meta.total).toBe(0)
    expect((await editor.visitor.get('/v1/links')).body.meta.total).toBe(0)
    const named = await editor.visitor.get(`/v1/links?workspace=${owner.uuid}`)
    expect([named.body.meta.total, named.body.ignored]).toEqual([1, undefined])
    const twice = `/v1/links?workspace=${owner.uuid}&workspace=${owner.uuid}`
    expect((await editor.visitor.get(twice)).status).toBe(404)
    expect((await editor.visitor.get('/v1/workspaces')).body.data).toMatchObject([
      { uuid: editor.uuid, role: 'owner', members: 1 },
      { uuid: owner.uuid, role: 'editor', members: 2 },
    ])
    const refused = await there.post('/v1/generate-key', {})
    expect([refused.status, refused.body.role]).toEqual([403, 'admin'])
    const stranger = await person(waymark())
    expect((await stranger.inside(owner.uuid).get('/v1/links')).status).toBe(404)
    expect((await stranger.inside('nothing').get('/v1/links')).status).toBe(404)
  })

  it('a removed member, key and token are gone at once', async () => {
    const owner = await person(waymark())
    const admin = await join(waymark(), owner, 'admin')
    const there = admin.inside(owner.uuid)
    const { data: key } = (await there.post('/v1/generate-key', {})).body
    const { data: token } = (await there.post('/v1/generate-token', {})).body
    const byKey = () => call(waymark(), 'GET', '/v1/links', { headers: { 'x-api-key': key.api_key } })
    const byToken = () =>
      call(waymark(), 'GET', '/v1/profile', { headers: { authorization: `Bearer ${token.token}` } })
    for (let n = 0; n < 4; n++) expect([(await byKey()).status, (await byToken()).status]).toEqual([200, 200])
    const { uuid } = (await owner.get('/v1/members')).body.data[1]
    expect((await owner.post('/v1/remove-member', { uuid })).status).toBe(200)
    // In both processes: each request is a new connection, which either of them takes.
    for (let n = 0; n < 8; n++) {
      expect((await there.get('/v1/links')).status).toBe(404)
      expect([(await byKey()).body, (await byToken()).body]).toEqual([
        { error: 'Invalid API key' },
        { error: 'Invalid access token' },
      ])
    }
  })

  it('keeps the keys of a removed member on request, with the role of the member and for no user', async () => {
    const owner = await person(waymark())
    const admin = await join(waymark(), owner, 'admin')
    const { data: token } = (await admin.inside(owner.uuid).post('/v1/generate-token', {})).body
    await admin.inside(owner.uuid).post('/v1/generate-key', {})
    const { uuid } = (await owner.get('/v1/members')).body.data[1]
    await owner.post('/v1/remove-member', { uuid, keep_keys: true })
    const headers = { authorization: `Bearer ${token.token}` }
    for (let n = 0; n < 8; n++) {
      expect((await call(waymark(), 'GET', '/v1/links', { headers })).status).toBe(200)
      expect((await call(waymark(), 'GET', '/v1/profile', { headers })).status).toBe(403)
      expect((await call(waymark(), 'GET', '/v1/takeout', { headers })).body.role).toBe('owner')
    }
    expect((await owner.get('/v1/tokens')).body.data).toMatchObject([{ created_by: null }])
    const { stdout } = await waymark().cli('key', 'list', '--workspace', owner.uuid, '--json')
    expect(JSON.parse(stdout)).toMatchObject([{ workspace: owner.uuid, email: null }])
  })

  it('two sign-ups with one invitation make one account', async () => {
    const owner = await person(waymark())
    const { body } = await owner.post('/v1/invite-member', { email: newEmail(), role: 'editor' })
    const invitation = tokenIn(body.data.invite_url)
    const answers = await Promise.all(
      [0, 1, 2].map(() =>
        new Visitor(waymark()).post('/v1/sign-up', { email: newEmail(), password: PASSWORD, invitation }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403, 403])
    expect((await owner.get('/v1/members')).body.data).toMatchObject([{ role: 'owner' }, { role: 'editor' }])
  })

  it('always has an owner, though two lower each other at once', async () => {
    const owner = await person(waymark())
    const uuid = owner.uuid
    expect((await owner.post('/v1/edit-member', { uuid, role: 'admin' })).status).toBe(409)
    expect((await owner.visitor.post('/v1/leave-workspace', { uuid })).status).toBe(409)
    const second = await join(waymark(), owner, 'owner')
    const answers = await Promise.all([
      owner.post('/v1/edit-member', { uuid: second.uuid, role: 'viewer' }),
      second.inside(uuid).post('/v1/edit-member', { uuid, role: 'viewer' }),
    ])
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses[0]).toBe(200)
    expect([403, 409]).toContain(statuses[1])
    const roles = [
      ...((await owner.get('/v1/members')).body.data ?? []),
      ...((await second.inside(uuid).get('/v1/members')).body.data ?? []),
    ].map(({ role }) => role)
    expect(roles).toContain('owner')
  })

  it('removes a workspace and everything in it, and leaves the user and other workspaces', async () => {
    const owner = await person(waymark())
    await owner.post('/v1/generate-link', LINK)
    const { data: other } = (await owner.visitor.post('/v1/create-workspace', { name: 'Other' })).body
    const there = owner.inside(other.uuid)
    const { data: link } = (await there.post('/v1/generate-link', LINK)).body
    const { data: token } = (await there.post('/v1/generate-token', {})).body
    expect((await there.post('/v1/remove-workspace')).status).toBe(200)
    expect((await there.get('/v1/links')).status).toBe(404)
    expect((await call(waymark(), 'GET', `/${link.code}`)).status).toBe(410)
    const headers = { authorization: `Bearer ${token.token}` }
    expect((await call(waymark(), 'GET', '/v1/links', { headers })).status).toBe(401)
    expect((await owner.get('/v1/links')).body.meta.total).toBe(1)
  })

  it('removes a user with the workspaces that have no other member', async () => {
    const owner = await person(waymark())
    const member = await join(waymark(), owner, 'viewer')
    const refused = await owner.post('/v1/remove-account', { reason: 'Enough' })
    expect([refused.status, refused.body.workspaces]).toMatchObject([409, [{ uuid: owner.uuid }]])
    await owner.post('/v1/edit-member', { uuid: member.uuid, role: 'owner' })
    const { data: link } = (await owner.post('/v1/generate-link', LINK)).body
    expect((await owner.post('/v1/remove-account', { reason: 'Enough' })).status).toBe(200)
    expect((await owner.visitor.get('/v1/workspaces')).status).toBe(401)
    expect((await member.inside(owner.uuid).get('/v1/links')).body.data).toMatchObject([{ uuid: link.uuid }])
    expect((await call(waymark(), 'GET', `/${link.code}`)).status).toBe(302)
  })

  it('the audit log tells who changed what, with names as they are now, and no values but roles and scopes', async () => {
    const owner = await person(waymark())
    const editor = await join(waymark(), owner, 'editor')
    const there = editor.inside(owner.uuid)
    const customLink = `spring-${Date.now()}`
    const { data: link } = (await there.post('/v1/generate-link', { ...LINK, customLink })).body
    const edit = { uuid: link.uuid, ...LINK, title: 'Sale' }
    await there.post('/v1/edit-links', edit)
    expect((await there.post('/v1/edit-links', { ...edit, link: 'not a URL' })).status).toBe(422)
    await there.post('/v1/simulate-link', { uuid: link.uuid })
    const { data: token } = (
      await owner.post('/v1/generate-token', { name: 'CI', scopes: ['links:write', 'codes:read'] })
    ).body
    const headers = { authorization: `Bearer ${token.token}`, 'idempotency-key': 'once' }
    const body = { link: 'https://example.com/second' }
    for (let n = 0; n < 2; n++) await call(waymark(), 'POST', '/v1/generate-link', { headers, body })
    const reused = await owner.post('/v1/generate-link', { ...body, reuse: true })
    expect(reused.status).toBe(200)
    await owner.post('/v1/edit-member', { uuid: editor.uuid, role: 'viewer' })
    for (let n = 0; n < 2; n++)
      expect((await there.post('/v1/remove-links', { uuid: link.uuid })).status).toBe(403)
    await owner.get('/v1/export-links')

    // Either process counts the rejected requests that it had, and stores them a little later.
    const rejected = async () => {
      const { data } = (await owner.get('/v1/audit-log?operation=removeLinks')).body
      return data[0]?.rejected as number | undefined
    }
    await expect.poll(rejected, { timeout: 20_000 }).toBe(2)
    const { body: log } = await owner.get('/v1/audit-log')
    const seen = log.data.map(
      ({ operation, user, fields, resources, rejected }: LoggedEntry) =>
        [
          operation,
          user.uuid === owner.uuid ? 'owner' : 'editor',
          fields.join(),
          resources.map(({ name }) => name).join(),
          rejected,
        ] as const,
    )
    const second = expect.stringMatching(/^\/\w{7}$/)
    expect(seen).toEqual(
      expect.arrayContaining([
        ['exportLinks', 'owner', '', '', 0],
        ['removeLinks', 'editor', '', '', 2],
        ['editMember', 'owner', 'role', editor.email, 0],
        ['generateLink', 'owner', 'link', second, 0],
        ['generateToken', 'owner', 'name,scopes', 'CI', 0],
        ['editLinks', 'editor', 'title', `/${customLink}`, 0],
        ['generateLink', 'editor', 'link,customLink', `/${customLink}`, 0],
        ['acceptInvitation', 'editor', 'token', expect.anything(), 0],
        ['inviteMember', 'owner', 'email,role', '', 0],
      ]),
    )
    expect([log.data.length, log.meta.total]).toEqual([9, 9])
    const by = Object.fromEntries(log.data.map((entry: { operation: string }) => [entry.operation, entry]))
    expect(by.editMember.details).toEqual({ role: 'viewer', previous_role: 'editor' })
    expect(by.generateToken.details).toEqual({ scopes: ['links:write', 'codes:read'] })
    expect(by.generateToken).toMatchObject({
      actor: 'user',
      credential: null,
      request_id: expect.any(String),
    })
    expect(by.generateToken.address).toMatch(/^(?:127\.0\.0\.0\/24|::\/48)$/)
    expect(JSON.stringify(log)).not.toContain('example.com/')

    const filtered = async (query: string) =>
      (await owner.get(`/v1/audit-log?${query}`)).body.data.map(
        ({ operation }: { operation: string }) => operation,
      )
    expect(await filtered(`credential=${token.uuid}`)).toEqual(['generateLink'])
    expect(await filtered(`user=${editor.uuid}&operation=editLinks`)).toEqual(['editLinks'])
    expect((await filtered(`resource=${link.uuid}`)).toSorted()).toEqual(['editLinks', 'generateLink'])
    expect(await filtered('resource=%25')).toEqual([])
    expect(await filtered('to=2020-01-01')).toEqual([])
    expect((await filtered('from=2020-01-01&limit=2')).length).toBe(2)

    const csv = await owner.get('/v1/audit-log?format=csv')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = csv.body.trim().split('\r\n')
    expect(lines[0]).toMatch(/^created_at,actor,user_uuid,user_name/)
    expect(lines.length).toBe(10)
    // An export is an entry itself.
    expect(await filtered('operation=auditLog')).toEqual(['auditLog'])
    expect((await there.get('/v1/audit-log')).status).toBe(403)

    await editor.visitor.post('/v1/remove-account', { reason: 'Enough' })
    const after = (await owner.get(`/v1/audit-log?user=${editor.uuid}`)).body.data
    expect(after.map(({ operation }: { operation: string }) => operation)).toContain('removeAccount')
    for (const { user } of after) expect(user).toEqual({ uuid: editor.uuid, name: null })
  })
})

onStack(
  'embedded',
  (waymark) => {
    it('an invitation permits signing up where that is closed, once', async () => {
      const owned = newEmail()
      await waymark().cli('user', 'create', '--email', owned, '--password', PASSWORD)
      const { stdout } = await waymark().cli('key', 'create', '--email', owned, '--json')
      const { api_key: apiKey, secret } = JSON.parse(stdout) as { api_key: string; secret: string }
      const account = { email: owned, apiKey, secret }
      const invite = async (role = 'viewer') => {
        const email = newEmail()
        const { status, body } = await post(waymark(), account, '/v1/invite-member', { email, role })
        expect(status).toBe(201)
        return { email, token: tokenIn(body.data.invite_url), uuid: body.data.uuid as string }
      }
      const visitor = new Visitor(waymark())
      expect((await visitor.signUp(newEmail())).status).toBe(403)
      const wrong = { email: newEmail(), password: PASSWORD, invitation: 'nothing' }
      expect((await visitor.post('/v1/sign-up', wrong)).status).toBe(403)
      const { email, token } = await invite()
      const shown = await visitor.post('/v1/check-invitation', { token })
      expect(shown.body.data).toMatchObject({ role: 'viewer', email, workspace: expect.any(String) })
      const signUp = (address: string, invitation: string) =>
        new Visitor(waymark()).post('/v1/sign-up', { email: address, password: PASSWORD, invitation })
      // A sign-up that fails leaves the invitation valid.
      expect((await signUp(owned, token)).status).toBe(409)
      expect(
        (await visitor.post('/v1/sign-up', { email, password: PASSWORD, invitation: token })).status,
      ).toBe(201)
      expect((await visitor.get('/v1/workspaces')).body.data).toMatchObject([
        { role: 'owner' },
        { role: 'viewer' },
      ])
      expect((await signUp(newEmail(), token)).status).toBe(403)
      expect((await visitor.post('/v1/accept-invitation', { token })).status).toBe(422)
      expect((await visitor.post('/v1/check-invitation', { token })).status).toBe(422)
      const removed = await invite()
      expect((await post(waymark(), account, '/v1/remove-invitation', { uuid: removed.uuid })).status).toBe(
        200,
      )
      expect((await visitor.post('/v1/accept-invitation', { token: removed.token })).status).toBe(422)
      expect((await signUp(newEmail(), removed.token)).status).toBe(403)
      const again = await invite()
      expect((await visitor.post('/v1/accept-invitation', { token: again.token })).status).toBe(409)
    })
  },
  { SIGNUP: 'closed' },
)

onStack('embedded', (waymark) => {
  describe('bad input', () => {
    it('invitations: twice, to a member, of oneself, in capitals, as an owner by an admin, 51 a day', async () => {
      const owner = await person(waymark())
      const invite = (email: string, role = 'viewer') => owner.post('/v1/invite-member', { email, role })
      const email = newEmail()
      expect((await invite(email)).status).toBe(201)
      const twice = await invite(email.toUpperCase())
      expect([twice.status, Object.keys(twice.body.errors)]).toEqual([409, ['email']])
      expect((await invite(owner.email)).status).toBe(409)
      expect((await invite('no address')).status).toBe(422)
      expect((await invite(newEmail(), 'king')).status).toBe(422)
      const admin = await join(waymark(), owner, 'admin')
      const there = admin.inside(owner.uuid)
      const higher = await there.post('/v1/invite-member', { email: newEmail(), role: 'owner' })
      expect([higher.status, higher.body.role]).toEqual([403, 'owner'])
      expect((await there.post('/v1/edit-member', { uuid: owner.uuid, role: 'viewer' })).status).toBe(403)
      expect((await there.post('/v1/remove-member', { uuid: owner.uuid })).status).toBe(403)
      expect((await there.post('/v1/edit-member', { uuid: 'nothing', role: 'viewer' })).status).toBe(404)
      const statuses = new Set<number>()
      for (let n = 0; n < 51; n++) statuses.add((await invite(newEmail())).status)
      expect([...statuses]).toEqual([201, 429])
    })

    it('names of workspaces, and more than the plan allows', async () => {
      const { visitor } = await person(waymark())
      const create = (name: unknown) => visitor.post('/v1/create-workspace', { name })
      for (const name of [
        '',
        'x'.repeat(61),
        'see https://example.com',
        'www.example.com',
        'example.com/x',
        '(example.com)',
        'example.com!',
        'пример.рф',
        null,
      ])
        expect([name, (await create(name)).status]).toEqual([name, 422])
      const answers = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map(create))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201, 201, 201, 201, 402, 402,
      ])
    })

    it('keys and tokens: unknown scopes, both kinds of scope, addresses, times', async () => {
      const owner = await person(waymark())
      const wrong: [string, object][] = [
        ['/v1/generate-key', { scopes: ['links:everything'] }],
        ['/v1/generate-key', { scopes: [] }],
        ['/v1/generate-key', { scope: 'read', scopes: ['links:read'] }],
        ['/v1/generate-key', { allowed_addresses: ['example.com'] }],
        ['/v1/generate-key', { allowed_addresses: ['1.2.3.4/33'] }],
        ['/v1/generate-key', { allowed_addresses: ['1.2.3'] }],
        ['/v1/generate-key', { allowed_addresses: Array.from({ length: 21 }, () => '1.2.3.4') }],
        ['/v1/generate-key', { expires_at: '2020-01-01' }],
        ['/v1/generate-token', { expires_at: '2999-01-01' }],
        ['/v1/generate-token', { expires_at: 'soon' }],
        ['/v1/generate-token', { scopes: ['account'] }],
      ]
      for (const [path, body] of wrong)
        expect([body, (await owner.post(path, body)).status]).toEqual([body, 422])
      const never = await owner.post('/v1/generate-token', { expires_at: 'never' })
      expect([never.status, never.body.data.expires_at]).toEqual([201, null])
      const { data } = (await owner.post('/v1/generate-token', {})).body
      const days = (Date.parse(data.expires_at) - Date.parse(data.created_at)) / 86_400_000
      expect(days).toBe(90)
      expect((await owner.get('/v1/tokens')).body.data[0]).not.toHaveProperty('token')
    })
  })

  it('a token reads and writes what its scopes say, and nothing that needs the person', async () => {
    const owner = await person(waymark())
    const make = async (fields: object) => {
      const { data } = (await owner.post('/v1/generate-token', fields)).body
      const headers = { authorization: `Bearer ${data.token}` }
      return (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
        call(waymark(), method, path, {
          headers: { ...headers, ...more },
          ...(body !== undefined && { body }),
        })
    }
    const links = await make({ scopes: ['links:write'] })
    const { data: link } = (await links('POST', '/v1/generate-link', LINK)).body
    expect((await links('POST', '/v1/edit-links', { uuid: link.uuid, ...LINK })).status).toBe(200)
    const qr = await links('GET', '/v1/qrcode')
    expect([qr.status, qr.body.scope]).toEqual([403, 'codes:read'])
    await links('POST', '/v1/remove-links', { uuid: link.uuid })
    const codes = await make({ scopes: ['codes:write'] })
    const restored = await codes('POST', '/v1/restore', { uuids: [link.uuid] })
    expect([restored.status, restored.body.scope]).toEqual([403, 'links:write'])
    expect((await links('POST', '/v1/restore', { uuids: [link.uuid] })).status).toBe(200)
    const all = await make({})
    expect((await all('GET', '/v1/profile')).status).toBe(200)
    for (const path of ['/v1/update-password', '/v1/remove-account'])
      expect((await all('POST', path, {})).body).toEqual({ error: 'API key missing' })
    expect((await all('POST', '/v1/generate-token', {})).status).toBe(401)
    expect((await all('GET', '/v1/links', undefined, { 'x-workspace': 'other' })).status).toBe(404)
    expect((await all('GET', '/v1/links', undefined, { 'x-api-key': 'wm_no' })).body).toEqual({
      error: 'Invalid API key',
    })
    const here = await make({ allowed_addresses: ['::1', '127.0.0.0/8'] })
    expect((await here('GET', '/v1/links')).status).toBe(200)
    const elsewhere = await make({ allowed_addresses: ['192.0.2.0/24', '2001:db8::/32'] })
    expect((await elsewhere('GET', '/v1/links')).body).toEqual({ error: 'Invalid access token' })
  })

  it('commands that name a user mean the oldest workspace left, after the first one was removed', async () => {
    const owner = await person(waymark())
    const { data } = (await owner.visitor.post('/v1/create-workspace', { name: 'Second' })).body
    expect((await owner.post('/v1/remove-workspace')).status).toBe(200)
    const cli = async (...words: string[]) => {
      const { code, stdout, stderr } = await waymark().cli(...words, '--email', owner.email, '--json')
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
      return JSON.parse(stdout) as Record<string, string>
    }
    const name = `first${Date.now()}.example`
    await cli('domain', 'add', name)
    const second = owner.inside(data.uuid)
    expect((await second.get('/v1/domains')).body.data).toContainEqual(expect.objectContaining({ name }))
    await cli('plan', 'set', '--plan', 'free')
    await cli('user', 'reset-link')
    const { data: log } = (await second.get('/v1/audit-log?actor=command_line')).body
    expect(log.map(({ operation }: LoggedEntry) => operation)).toEqual([
      'user reset-link',
      'plan set',
      'domain add',
    ])
    const { api_key: apiKey = '', secret = '' } = await cli('key', 'create')
    const account = { email: owner.email, password: PASSWORD, apiKey, secret }
    expect((await post(waymark(), account, '/v1/update-personal-info', { first_name: 'Ann' })).status).toBe(
      200,
    )

    await cli('admin', 'user', 'suspend')
    const signIn = async () => (await new Visitor(waymark()).signIn(owner.email)).status
    await expect.poll(signIn, { timeout: 20_000 }).toBe(403)
    expect((await second.get('/v1/links')).status).toBe(403)
    await cli('admin', 'user', 'resume')
    await expect.poll(signIn, { timeout: 20_000 }).toBe(200)

    expect((await second.post('/v1/remove-workspace')).status).toBe(200)
    const none = await waymark().cli('domain', 'add', name, '--email', owner.email)
    expect(none.stderr).toBe(`waymark: ${owner.email} is not a member of any workspace\n`)
    expect(await signIn()).toBe(200)
  })

  it('a key of a second workspace: everything but the three operations of the person', async () => {
    const account = await waymark().account()
    const { data } = (await post(waymark(), account, '/v1/create-workspace', { name: 'Second' })).body
    const words = ['key', 'create', '--email', account.email, '--workspace', data.uuid, '--json']
    const nowhere = '00000000-0000-7000-8000-000000000000'
    const [{ stdout }, unknown] = await Promise.all([
      waymark().cli(...words),
      waymark().cli('key', 'create', '--workspace', nowhere),
    ])
    expect([unknown.code, unknown.stderr]).toEqual([1, `waymark: There is no workspace ${nowhere}\n`])
    const { api_key: apiKey, secret } = JSON.parse(stdout) as { api_key: string; secret: string }
    const second = { ...account, apiKey, secret }
    const list = async (...of: string[]) =>
      JSON.parse((await waymark().cli(...of, '--workspace', data.uuid, '--json')).stdout) as unknown
    expect(await list('key', 'list')).toMatchObject([{ api_key: apiKey, workspace: data.uuid }])
    expect(await list('user', 'list')).toMatchObject([{ email: account.email, role: 'owner' }])
    const [made] = (await get(waymark(), second, '/v1/audit-log')).body.data
    expect(made).toMatchObject({ actor: 'command_line', operation: 'key create', user: null })
    expect([made.details, made.resources[0].name]).toEqual([{ scope: 'write' }, apiKey])
    expect((await get(waymark(), second, '/v1/download-invoice')).body.data.buyer.email).toBe(account.email)

    // The second workspace first, because the last operation removes the account.
    const [there, here] = [await allOperations(waymark(), second), await allOperations(waymark(), account)]
    expect([...here.keys()].toSorted()).toEqual(published.map(({ path }) => path).toSorted())
    const personal = ['/v1/update-personal-info', '/v1/update-password', '/v1/remove-account']
    for (const [path, { status, body, headers }] of here) {
      expect([path, Math.floor(status / 100)]).toEqual([path, 2])
      const other = there.get(path)
      if (personal.includes(path)) expect([path, other?.status]).toEqual([path, 403])
      else expect([path, other?.status, shapeOf(other?.body)]).toEqual([path, status, shapeOf(body)])
      expect(other?.headers.get('content-type')).toBe(headers.get('content-type'))
    }
  })
})
