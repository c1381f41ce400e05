import { createHash } from 'node:crypto'
import { operations, type Operation, type OperationName } from '@waymark/contract'
import { sign } from '../../e2e/support/requests.ts'
import type { OperationExample } from '../../packages/server/src/api/examples.ts'

type Key = Readonly<{ apiKey: string; secret: string }>

/** The callers of rejected calls. None of them is the account of the other examples. */
export interface ErrorCallers {
  readonly url: string
  /** The public address of the server. */
  readonly origin: string
  readonly key: Key
  readonly readOnlyKey: Key
  readonly cookie: string
  readonly email: string
}

interface Call {
  /** Unentitled: with a key that may only read, or with a session, but from another site. */
  readonly as: 'nobody' | 'caller' | 'unentitled'
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: string
  readonly type?: string
  readonly ifMatch?: string
}

/** Another site, from which a browser would send the cookie as well. */
const ELSEWHERE = 'https://elsewhere.example'

/** Operations that would end the account or session of the following calls. */
const LEFT_OUT: readonly string[] = [
  'removeAccount',
  'removeWorkspace',
  'signOut',
  'updatePassword',
  'removeSession',
]

/** Calls operations in ways that the server rejects, and records the responses. */
export class ErrorRecorder {
  readonly #callers: ErrorCallers

  constructor(callers: ErrorCallers) {
    this.#callers = callers
  }

  /** The errors of one operation by status; `example` is a successful call. */
  async record(name: OperationName, example: OperationExample): Promise<Record<string, unknown>> {
    const { auth, method, fails = [] }: Operation = operations[name]
    const errors: Record<string, unknown> = {}
    const keep = async (status: number, call: Call): Promise<void> => {
      const { status: got, body } = await this.#send(name, call)
      if (got === status) errors[String(status)] ??= body
    }
    if (auth !== 'none') await keep(401, { as: 'nobody' })
    if (method === 'POST') {
      await keep(400, { as: 'caller', body: '{"link":' })
      await keep(415, { as: 'caller', body: 'link=', type: 'text/plain' })
      if (!LEFT_OUT.includes(name)) await keep(422, { as: 'caller', body: '{}' })
      await keep(403, { as: 'unentitled', body: '{}' })
    } else {
      await keep(400, { as: 'caller', query: { ...example.query, cursor: 'x' } })
      await keep(422, { as: 'caller', query: { ...example.query, limit: 5_000 } })
    }
    for (const [status, call] of (await this.#special(name, example)) ?? []) await keep(status, call)
    // The same call by another account: its uuids are unknown, and its names are taken.
    const again = { as: 'caller', query: example.query, body: JSON.stringify(withoutFiles(example)) } as const
    if (!LEFT_OUT.includes(name))
      for (const status of fails.filter((each) => each === 404 || each === 409)) await keep(status, again)
    return errors
  }

  /** Calls that are rejected because of the state of this account. */
  async #special(
    name: OperationName,
    { body }: OperationExample,
  ): Promise<readonly (readonly [status: number, call: Call])[] | undefined> {
    const { email } = this.#callers
    if (name === 'signIn')
      return [[401, { as: 'nobody', body: JSON.stringify({ email, password: 'not the password' }) }]]
    if (name === 'verifySecondFactor') return [[401, { as: 'nobody', body: JSON.stringify(body) }]]
    if (name === 'signUp') return [[409, { as: 'nobody', body: JSON.stringify({ ...body, email }) }]]
    if (name !== 'editLinks') return undefined
    const link = 'https://example.com/'
    const create = (customLink: string) =>
      this.#send('generateLink', { as: 'caller', body: JSON.stringify({ link, customLink }) })
    const taken = 'winter'
    await create(taken)
    const { data } = (await create('winter-sale')).body as { data: { uuid: string } }
    const edit = { uuid: data.uuid, link }
    return [
      [409, { as: 'caller', body: JSON.stringify({ ...edit, customLink: taken }) }],
      [412, { as: 'caller', body: JSON.stringify(edit), ifMatch: '"2020-01-01T00:00:00.000Z"' }],
    ]
  }

  async #send(name: OperationName, call: Call): Promise<{ status: number; body: unknown }> {
    const { method, path }: Operation = operations[name]
    const query = new URLSearchParams(
      Object.entries(call.query ?? {}).map(([field, value]) => [field, String(value)]),
    )
    const target = query.size === 0 ? path : `${path}?${query}`
    const body = method === 'POST' ? (call.body ?? '{}') : ''
    const response = await fetch(this.#callers.url + target, {
      method,
      headers: {
        ...(method === 'POST' && { 'content-type': call.type ?? 'application/json' }),
        ...(call.ifMatch !== undefined && { 'if-match': call.ifMatch }),
        ...this.#credentials(name, call.as, target, body),
      },
      ...(method === 'POST' && { body }),
      signal: AbortSignal.timeout(30_000),
    })
    if (response.headers.get('content-type') !== 'application/json') {
      await response.body?.cancel()
      return { status: 0, body: undefined }
    }
    return { status: response.status, body: await response.json() }
  }

  #credentials(name: OperationName, as: Call['as'], target: string, body: string): Record<string, string> {
    const { auth, method }: Operation = operations[name]
    const { origin, cookie, key, readOnlyKey } = this.#callers
    if (auth === 'session' || auth === 'none')
      return { origin: as === 'unentitled' ? ELSEWHERE : origin, ...(as !== 'nobody' && { cookie }) }
    if (as === 'nobody') return {}
    const digest = createHash('sha256').update(body).digest('hex')
    return sign(as === 'unentitled' ? readOnlyKey : key, method, target, digest)
  }
}

const withoutFiles = ({ body = {}, files = [] }: OperationExample): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !files.includes(field)))
