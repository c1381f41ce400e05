import type { IncomingMessage } from 'node:http'
import {
  includesScope,
  isAtLeast,
  type Operation,
  operations,
  type Role,
  roles,
  type Scope,
} from '@waymark/contract'
import { parseSetCookie } from 'cookie'
import { beforeAll, expect, it } from 'vitest'
import { testServices } from '../../modules/testing.ts'
import { AppError } from '../../net/errors.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { checkHeaders } from './authenticate.ts'
import { authorise } from './authorise.ts'

const all = Object.entries(operations as Record<string, Operation>)
const HERE = '203.0.113.7'
const ELSEWHERE = '198.51.100.1'

/** The credentials of a caller, and what the test knows about them. */
interface Credential {
  readonly kind: 'none' | 'key' | 'signed' | 'token' | 'session'
  readonly headers?: Record<string, string>
  readonly sessionToken?: string | undefined
  readonly role?: Role
  readonly scopes?: readonly Scope[]
  readonly wanted?: string
  readonly from?: string
  /** The error for every operation that checks this credential. */
  readonly always?: string
  /** Whether the credential belongs to the first workspace of its user. */
  readonly ofFirst?: boolean
  /** Whether it was kept when its creator was removed. */
  readonly isKept?: boolean
}

/** Writes that store nothing. */
const READS = ['simulateLink']
/** Writes about the user, for any role in a workspace. Add new ones here by hand. */
const OF_THE_USER = [
  'addFeedback',
  'createWorkspace',
  'removeAccount',
  'updatePassword',
  'updatePersonalInfo',
]
const OF_SESSIONS = [
  'acceptInvitation',
  'addIdentity',
  'addPasskey',
  'beginOidcProof',
  'changeEmail',
  'confirmTotp',
  'leaveWorkspace',
  'reauthenticate',
  'removeIdentity',
  'removePasskey',
  'removeSession',
  'removeTotp',
  'replaceRecoveryCodes',
  'resendConfirmation',
  'setUpIdentity',
  'setUpPasskey',
  'setUpTotp',
  'signOut',
]

/** The rules of the table, written down a second time. */
function expected({ auth, role, scope, personal, tokens }: Operation, given: Credential): string {
  if (auth === 'none') return 'ok'
  const isKey = given.kind === 'key' || given.kind === 'signed'
  if (auth === 'session' && given.kind !== 'session') return 'session_missing'
  if (given.kind === 'none') return 'key_missing'
  if (given.kind === 'token' && tokens === false) return 'key_missing'
  if (given.always !== undefined && given.kind !== 'session') return given.always
  if (given.kind === 'key' && auth === 'signed') return 'signature_missing'
  if (role === undefined) {
    if (given.isKept === true) return 'key_without_user'
    if (personal === true && given.kind !== 'session' && given.ofFirst !== true) return 'key_not_personal'
    if (isKey || given.kind === 'token')
      if (scope !== undefined && !includesScope(given.scopes, scope)) return 'scope_missing'
    return 'ok'
  }
  if (given.always !== undefined) return given.always
  if (given.role === undefined || !isAtLeast(given.role, role)) return 'role_missing'
  return scope === undefined || includesScope(given.scopes, scope) ? 'ok' : 'scope_missing'
}

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  let credentials: Record<string, Credential> = {}

  const decide = async (operation: Operation, given: Credential): Promise<string> => {
    const { modules } = services()
    const callers = {
      byKey: (key: string) => modules.keys.service.findUsable(key),
      byToken: (token: string) => modules.keys.tokens.findUsable(token),
      bySession: (token: string) => modules.sessions.service.find(token),
    }
    const memberships = {
      membershipsOf: (user: string) => modules.accounts.memberships.of(user),
      isSuspended: modules.abuse.registry.isSuspended,
    }
    const request = { headers: given.headers ?? {} } as unknown as IncomingMessage
    const facts = { sessionToken: given.sessionToken, address: given.from ?? HERE }
    try {
      const { caller } = await checkHeaders(operation, request, facts, callers, Date.now())
      if (caller !== undefined) await authorise(operation, caller, given.wanted, memberships)
      return 'ok'
    } catch (error) {
      if (error instanceof AppError) return error.code
      throw error
    }
  }

  beforeAll(async () => {
    const { core, modules, newUser } = services()
    const { workspaces } = modules.accounts
    const { service: keys, tokens } = modules.keys
    const workspaceUuid = await newUser()
    const join = async (role: Role) => {
      const user = await newUser()
      const row = { workspace_uuid: workspaceUuid, user_uuid: user, role, created_at: 1 }
      await core.db.write(() => workspaces.insertMember(row))
      return user
    }
    const signed = (api_key: string) => ({
      'x-api-key': api_key,
      'x-signature': 'f'.repeat(64),
      'x-timestamp': String(Date.now()),
    })
    const sessionOf = async (user: string) =>
      parseSetCookie(await modules.sessions.service.begin(user, 'A browser'))?.value
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const made: Record<string, Credential> = { none: { kind: 'none' } }
    const add = async (name: string, user: string, given: Partial<Credential>, fields: object = {}) => {
      const owner = { workspaceUuid: given.ofFirst === true ? user : workspaceUuid, userUuid: user }
      const { api_key } = await keys.create(owner, fields)
      const { token } = await tokens.create(owner, fields)
      made[`${name}, key`] = { kind: 'key', headers: { 'x-api-key': api_key }, ...given }
      made[`${name}, signed`] = { kind: 'signed', headers: signed(api_key), ...given }
      made[`${name}, token`] = { kind: 'token', headers: bearer(token), ...given }
      made[`${name}, token beside the key`] = {
        kind: 'signed',
        headers: { ...signed(api_key), ...bearer('wmt_wrong') },
        ...given,
      }
      return { api_key, token }
    }
    for (const role of roles) {
      const user = await join(role)
      await add(role, user, { role })
      const sessionToken = await sessionOf(user)
      made[`${role}, session`] = { kind: 'session', sessionToken, role, wanted: workspaceUuid }
      made[`${role}, session, other workspace`] = {
        kind: 'session',
        sessionToken,
        wanted: await newUser(),
        always: 'not_found',
      }
      made[`${role}, session, first workspace`] = { kind: 'session', sessionToken, role: 'owner' }
    }
    const admin = await join('owner')
    await add('first workspace', admin, { role: 'owner', ofFirst: true })
    for (const scopes of [['links:read'], ['links:write', 'codes:read'], ['account:write']] as Scope[][])
      await add(`scopes ${scopes.join()}`, admin, { role: 'owner', scopes }, { scopes })
    const reader = await keys.create({ workspaceUuid, userUuid: admin }, { scope: 'read' })
    const scopes: Scope[] = [
      'links:read',
      'codes:read',
      'pages:read',
      'analytics:read',
      'domains:read',
      'webhooks:read',
      'account:read',
    ]
    made['scope read'] = { kind: 'signed', headers: signed(reader.api_key), role: 'owner', scopes }
    const invalid = (name: string) => {
      for (const kind of ['key', 'signed', 'token', 'token beside the key']) {
        const given = made[`${name}, ${kind}`]
        if (given !== undefined)
          made[`${name}, ${kind}`] = {
            ...given,
            always: given.kind === 'token' ? 'token_unknown' : 'key_invalid',
          }
      }
    }
    await add('expired', admin, {}, { expires_at: Date.now() - 1 })
    invalid('expired')
    await add('wrong address', admin, { from: ELSEWHERE }, { allowed_addresses: ['203.0.113.0/24'] })
    invalid('wrong address')
    await add(
      'mapped address',
      admin,
      { role: 'owner', from: `::ffff:${HERE}` },
      { allowed_addresses: ['203.0.113.0/24'] },
    )
    const gone = await join('owner')
    const goneSession = await sessionOf(gone)
    await add('removed member', gone, {})
    await modules.accounts.workspaceService.removeMember(
      { workspaceUuid, userUuid: workspaceUuid },
      { uuid: gone },
    )
    invalid('removed member')
    made['removed member, session'] = {
      kind: 'session',
      sessionToken: goneSession,
      wanted: workspaceUuid,
      always: 'not_found',
    }
    for (const role of roles) {
      const leaver = await join(role)
      await add(`kept with the role ${role}`, leaver, { role, isKept: true })
      await modules.accounts.workspaceService.removeMember(
        { workspaceUuid, userUuid: workspaceUuid },
        { uuid: leaver, keep_keys: true },
      )
    }
    // A key of the command line acts as owner; kept, it has the role of the member.
    const former = await join('viewer')
    const outlived = await keys.create({ workspaceUuid, userUuid: former }, {}, true)
    await modules.accounts.workspaceService.removeMember(
      { workspaceUuid, userUuid: workspaceUuid },
      { uuid: former, keep_keys: true },
    )
    made['command line, kept'] = {
      kind: 'signed',
      headers: signed(outlived.api_key),
      role: 'viewer',
      isKept: true,
    }
    const homeless = await newUser()
    await core.db.write(() =>
      workspaces.insertMember({
        workspace_uuid: workspaceUuid,
        user_uuid: homeless,
        role: 'editor',
        created_at: 1,
      }),
    )
    await modules.accounts.removal.removeWorkspace(homeless)
    await add('oldest workspace left', homeless, { role: 'editor' })
    for (const kind of ['key', 'signed', 'token', 'token beside the key']) {
      const name = `oldest workspace left, ${kind}`
      if (made[name] !== undefined) made[name] = { ...made[name], ofFirst: true }
    }
    const lowered = await join('admin')
    await add('admin who is a viewer now', lowered, { role: 'viewer' })
    await modules.accounts.workspaceService.editMember(
      { workspaceUuid, userUuid: workspaceUuid },
      { uuid: lowered, role: 'viewer' },
    )
    const operator = await keys.create({ workspaceUuid, userUuid: lowered }, {}, true)
    made['command line'] = { kind: 'signed', headers: signed(operator.api_key), role: 'owner' }
    const { token: byOperator } = await tokens.create({ workspaceUuid, userUuid: lowered }, {}, true)
    made['command line, token'] = { kind: 'token', headers: bearer(byOperator), role: 'owner' }
    const named = await add('names its workspace', admin, {
      role: 'owner',
      wanted: workspaceUuid.toUpperCase(),
    })
    for (const [kind, headers] of [
      ['key', { 'x-api-key': named.api_key }],
      ['signed', signed(named.api_key)],
      ['token', bearer(named.token)],
    ] as const)
      made[`another workspace with a ${kind}`] = { kind, headers, wanted: admin }
    credentials = made
  })

  it('applies the rules of the table to every operation, role and credential', async () => {
    const wrong: string[] = []
    for (const [name, given] of Object.entries(credentials))
      for (const [operationName, operation] of all) {
        const isForeign = name.startsWith('another workspace') && operation.role !== undefined
        const right = expected(operation, isForeign ? { ...given, role: 'owner' } : given)
        const should = isForeign && (right === 'ok' || right === 'scope_missing') ? 'not_found' : right
        const is = await decide(operation, given)
        if (is !== should) wrong.push(`${operationName}, ${name}: ${is} and not ${should}`)
      }
    expect(wrong).toEqual([])
    expect(Object.keys(credentials).length * all.length).toBeGreaterThan(4_000)
  })

  it('lets viewers write nothing', async () => {
    const viewers = Object.entries(credentials).filter(([, { role }]) => role === 'viewer')
    expect(viewers.length).toBeGreaterThan(5)
    const writes = all.filter(([, { method, auth }]) => method === 'POST' && auth !== 'none')
    expect(writes.length).toBeGreaterThan(60)
    for (const [credential, given] of viewers) {
      const allowed: string[] = []
      for (const [name, operation] of writes)
        if ((await decide(operation, given)) === 'ok') allowed.push(name)
      const isSession = given.kind === 'session'
      const isSigned = given.kind === 'signed' || given.kind === 'token'
      const isOfUser = given.isKept !== true
      expect([credential, allowed.toSorted()]).toEqual([
        credential,
        isSession
          ? [...OF_THE_USER, ...OF_SESSIONS, ...READS].toSorted()
          : isSigned
            ? [...READS, ...(isOfUser ? ['addFeedback'] : [])].toSorted()
            : [],
      ])
    }
  })

  it('rejects unknown keys, tokens and sessions', async () => {
    const links = operations.links
    expect(await decide(links, { kind: 'key', headers: { 'x-api-key': 'wm_nothing' } })).toBe('key_invalid')
    expect(await decide(links, { kind: 'token', headers: { authorization: 'Bearer wmt_no' } })).toBe(
      'token_unknown',
    )
    for (const authorization of [
      'bearer  wmt_no',
      'Bearer wmt_',
      'Bearer wmt_no more',
      `Bearer wmt_${'x'.repeat(9_000)}`,
    ])
      expect(await decide(links, { kind: 'token', headers: { authorization } })).toBe('token_unknown')
    for (const authorization of ['Basic YTpi', 'Bearer other', 'wmt_no', 'Bearer'])
      expect(await decide(links, { kind: 'none', headers: { authorization } })).toBe('key_missing')
    expect(await decide(links, { kind: 'session', sessionToken: 'no' })).toBe('key_missing')
  })
})
