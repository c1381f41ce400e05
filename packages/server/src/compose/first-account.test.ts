import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIdempotency } from '../api/steps/idempotency.ts'
import { testServices } from '../modules/testing.ts'
import { forEachDatabase } from '../storage/db/testing.ts'
import { serveApiForTest } from './api.testing.ts'

const BASE_URL = 'https://way.example'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases, { BASE_URL, SIGNUP: 'closed' })
  const closing = new AsyncDisposableStack()
  let api: Awaited<ReturnType<typeof serveApiForTest>>

  beforeAll(async () => {
    const { core, modules } = services()
    api = await serveApiForTest({ ...core, closing }, modules, createIdempotency(core.db, core.now))
  })
  afterAll(() => closing.disposeAsync())

  const signUp = async (invitation: string): Promise<[number, unknown]> => {
    const email = `${crypto.randomUUID()}@example.com`
    const { statusCode, body } = await api.ask({
      method: 'POST',
      url: '/v1/sign-up',
      headers: { origin: BASE_URL, 'content-type': 'application/json' },
      payload: JSON.stringify({ email, password: 'Correct-horse-1', invitation }),
    })
    return [statusCode, JSON.parse(body)]
  }

  it('creates the first account with the newest link, once, also with several requests at once', async () => {
    const { core, modules } = services()
    const { firstAccount } = modules.accounts
    const offer = async (): Promise<string> => {
      const link = new URL((await firstAccount.offer()) ?? '')
      expect([link.origin, link.pathname]).toEqual([BASE_URL, '/app/sign-up'])
      return link.searchParams.get('token') ?? ''
    }
    const [old, token] = [await offer(), await offer()]
    const stored = await core.db.sql.selectFrom('first_account').selectAll().execute()
    expect([stored.length, JSON.stringify(stored).includes(token)]).toEqual([1, false])
    const closed = { error: 'Sign-up is closed on this instance' }
    expect(await signUp(old)).toEqual([403, closed])
    const responses = await Promise.all([signUp(token), signUp(token), signUp(token)])
    expect(responses.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([201, 403, 403])
    expect(await signUp(token)).toEqual([403, closed])
    expect(await core.db.sql.selectFrom('users').select('uuid').execute()).toHaveLength(1)
    expect(await firstAccount.offer()).toBeUndefined()
  })

  it('is over when an account was created in another way', async () => {
    const { core, modules } = services()
    const { firstAccount, service } = modules.accounts
    await core.db.write(() => core.db.sql.updateTable('users').set({ removed_at: 1 }).execute())
    const token = new URL((await firstAccount.offer()) ?? '').searchParams.get('token') ?? ''
    await service.create({ email: 'operator@example.com', password: 'Correct-horse-1' }, true)
    expect((await signUp(token))[0]).toBe(403)
    expect(await firstAccount.offer()).toBeUndefined()
  })
})
