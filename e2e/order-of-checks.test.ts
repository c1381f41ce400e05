import { type Operation, operations, type Scope } from '@waymark/contract'
import { describe, expect, it } from 'vitest'
import { onStack } from './support/stacks.ts'
import { call, type Heard, newEmail, Visitor } from './support/visitors.ts'
import type { Waymark } from './support/waymark.ts'

const writes = Object.entries(operations as Record<string, Operation>).filter(
  ([, { method, auth }]) => method === 'POST' && auth !== 'none',
)
/** Without fields these succeed, and nothing else can be called afterwards. */
const ENDING = new Set(['removeWorkspace', 'signOut'])

let keys = 0
const newKey = (): string => `order-${++keys}-${Math.random()}`

/** An owner, a viewer of the same workspace, and tokens of the owner. */
async function setUp(waymark: Waymark) {
  const [owner, member, email] = [new Visitor(waymark), new Visitor(waymark), newEmail()]
  await owner.signUp(newEmail())
  await member.signUp(email)
  const first = async (visitor: Visitor): Promise<string> =>
    (await visitor.get('/v1/workspaces')).body.data[0].uuid
  const [workspace, uuid] = [await first(owner), await first(member)]
  const { body } = await owner.post('/v1/invite-member', { email, role: 'viewer' })
  const token = new URL(body.data.invite_url).searchParams.get('token')
  expect((await member.post('/v1/accept-invitation', { token })).status).toBe(200)
  const tokens = new Map<string, string>()
  return {
    owner,
    member,
    workspace,
    setRole: async (role: string): Promise<void> => {
      expect((await owner.post('/v1/edit-member', { uuid, role })).status).toBe(200)
    },
    tokenWith: async (scopes?: readonly Scope[]): Promise<string> => {
      const name = String(scopes)
      const known = tokens.get(name)
      if (known !== undefined) return known
      const created = await owner.post('/v1/generate-token', { name, ...(scopes && { scopes }) })
      tokens.set(name, created.body.data.token)
      return created.body.data.token as string
    },
  }
}

onStack('embedded', (waymark) => {
  let shared: ReturnType<typeof setUp> | undefined
  const people = (name: string) => (ENDING.has(name) ? setUp(waymark()) : (shared ??= setUp(waymark())))

  /** The request with the same key that follows a rejected one is treated as a new one. */
  const expectNew = ({ status, headers, body }: Heard): void => {
    expect(headers['idempotent-replayed']).toBe(undefined)
    expect(JSON.stringify(body)).not.toMatch(/another payload/)
    expect(status).not.toBe(403)
  }

  describe('a rejected request leaves its Idempotency-Key unused', () => {
    it.each(writes.filter(([, { role = 'viewer' }]) => role !== 'viewer'))(
      '%s: after a role that was too low',
      async (name, { path }) => {
        const { member, workspace, setRole } = await people(name)
        const headers = { 'x-workspace': workspace, 'idempotency-key': newKey() }
        await setRole('viewer')
        const rejected = await member.post(path, {}, headers)
        expect([rejected.status, rejected.body.role]).toEqual([403, expect.any(String)])
        await setRole('owner')
        expectNew(await member.post(path, {}, headers))
      },
    )

    it.each(writes.filter(([, { auth, tokens, scope }]) => auth !== 'session' && tokens !== false && scope))(
      '%s: after a missing scope',
      async (name, { path, scope }) => {
        const { tokenWith } = await people(name)
        const key = newKey()
        const send = async (scopes?: readonly Scope[]): Promise<Heard> => {
          const headers = { authorization: `Bearer ${await tokenWith(scopes)}`, 'idempotency-key': key }
          return call(waymark(), 'POST', path, { body: {}, headers })
        }
        const rejected = await send([
          scope?.startsWith('analytics') === true ? 'links:read' : 'analytics:read',
        ])
        expect([rejected.status, rejected.body.scope]).toEqual([403, scope])
        expectNew(await send())
      },
    )

    it.each(writes)('%s: after an invalid field', async (name, { path }) => {
      const { owner } = await people(name)
      const headers = { 'idempotency-key': newKey() }
      const strict = { ...headers, prefer: 'handling=strict' }
      const rejected = await owner.post(path, { not_a_field: 1 }, strict)
      expect([rejected.status, rejected.body.errors?.not_a_field]).toEqual([422, expect.any(Array)])
      expectNew(await owner.post(path, {}, headers))
    })
  })

  it('a replay passes the checks of rights again, also those that depend on fields', async () => {
    const { owner, tokenWith } = await setUp(waymark())
    const { data: code } = (
      await owner.post('/v1/generate-qr', { url: 'https://example.com/', pattern: 'dots' })
    ).body
    await owner.post('/v1/remove-qr', { uuid: code.uuid })
    const [all, links] = [await tokenWith(), await tokenWith(['links:write'])]
    const restore = (token: string, key: string): Promise<Heard> =>
      call(waymark(), 'POST', '/v1/restore', {
        body: { uuids: [code.uuid] },
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      })
    const key = newKey()
    expect((await restore(links, key)).body).toMatchObject({ scope: 'codes:write' })
    expect((await restore(all, key)).status).toBe(200)
    // The code is no longer in the trash, so its uuid alone does not say what the request required.
    expect((await restore(links, key)).body).toMatchObject({ scope: 'codes:write' })
    const again = await restore(all, key)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
  })

  it('a role that only the fields require is checked before the key is used as well', async () => {
    const { member, workspace, setRole } = await setUp(waymark())
    await setRole('admin')
    const headers = { 'x-workspace': workspace, 'idempotency-key': newKey() }
    const edit = () => member.post('/v1/edit-member', { uuid: workspace, role: 'owner' }, headers)
    expect((await edit()).body).toMatchObject({ role: 'owner' })
    await setRole('owner')
    const edited = await edit()
    expectNew(edited)
    expect(edited.status).toBe(200)
  })

  it('a replay by an owner who is an admin now is rejected', async () => {
    const { member, workspace, setRole } = await setUp(waymark())
    await setRole('owner')
    const headers = { 'x-workspace': workspace, 'idempotency-key': newKey() }
    // The uuid of the first workspace is that of its user.
    const lower = () => member.post('/v1/edit-member', { uuid: workspace, role: 'admin' }, headers)
    expect((await lower()).status).toBe(200)
    const restored = { 'x-workspace': workspace }
    expect((await member.post('/v1/edit-member', { uuid: workspace, role: 'owner' }, restored)).status).toBe(
      200,
    )
    await setRole('admin')
    expect((await lower()).body).toMatchObject({ role: 'owner' })
  })

  it('the trash lists only what the role and scopes of the caller may read', async () => {
    const { owner, member, workspace, tokenWith } = await setUp(waymark())
    const created = await owner.post('/v1/add-webhook', { url: 'https://hooks.example/secret' })
    await owner.post('/v1/remove-webhook', { uuid: created.body.data.uuid })
    const qr = { content: { type: 'text', text: 'a secret' }, pattern: 'dots' }
    const { data: code } = (await owner.post('/v1/generate-qr', qr)).body
    await owner.post('/v1/remove-qr', { uuid: code.uuid })
    const typesIn = ({ body }: Heard): unknown => [
      body.data.map(({ type }: { type: string }) => type).toSorted(),
      body.meta.total,
    ]
    const withToken = async (scopes: readonly Scope[], query = ''): Promise<Heard> =>
      call(waymark(), 'GET', `/v1/trash${query}`, {
        headers: { authorization: `Bearer ${await tokenWith(scopes)}` },
      })
    expect(typesIn(await owner.get('/v1/trash'))).toEqual([['qrcode', 'webhook'], 2])
    const asViewer = { 'x-workspace': workspace }
    expect(typesIn(await member.call('GET', '/v1/trash', undefined, asViewer))).toEqual([['qrcode'], 1])
    expect(typesIn(await withToken(['links:read']))).toEqual([[], 0])
    expect(typesIn(await withToken(['links:read'], '?type=qrcode'))).toEqual([[], 0])
    expect(typesIn(await withToken(['links:read', 'codes:read']))).toEqual([['qrcode'], 1])
  })
})
