import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../work/times.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { SessionService, sessionCookieName } from './sessions.service.ts'
import { createSessionStore } from './sessions.store.ts'

const MINUTE_MS = 60_000

const tokenOf = (cookie: string | undefined): string => /=([^;]*)/.exec(cookie ?? '')?.[1] ?? ''

forEachDatabase((_, open) => {
  const setUp = async () => {
    const db = await open()
    const clock = { ms: 1_000_000_000 }
    const newId = (): string => crypto.randomUUID()
    const sessions = new SessionService({
      db,
      store: createSessionStore(db),
      firstWorkspaceOf: async (user) => user,
      secure: true,
      now: () => clock.ms,
      newId,
    })
    const userUuid = await insertTestUser(db)
    const token = tokenOf(await sessions.begin(userUuid, 'A browser'))
    return { db, clock, sessions, userUuid, token }
  }

  describe('a session', () => {
    it('lasts thirty days without use', async () => {
      const { clock, sessions, userUuid, token } = await setUp()
      clock.ms += 30 * DAY_MS - 1
      expect(await sessions.find(token)).toMatchObject({ kind: 'session', userUuid })
      const late = await setUp()
      late.clock.ms += 30 * DAY_MS
      expect(await late.sessions.find(late.token)).toBe(undefined)
      expect(await sessions.find('another')).toBe(undefined)
    })

    it('changes its token every quarter of an hour, for one of several concurrent requests', async () => {
      const { clock, sessions, token } = await setUp()
      clock.ms += 15 * MINUTE_MS - 1
      expect((await sessions.find(token))?.setCookie).toBe(undefined)
      clock.ms += 1
      const found = await Promise.all(Array.from({ length: 5 }, () => sessions.find(token)))
      expect(found.filter((caller) => caller === undefined)).toEqual([])
      const cookies = found.flatMap((caller) => caller?.setCookie ?? [])
      expect(cookies).toHaveLength(1)
      expect((await sessions.find(tokenOf(cookies[0])))?.setCookie).toBe(undefined)
    })

    it('accepts the old token for one more minute, and ends if it is used later', async () => {
      const { clock, sessions, token } = await setUp()
      clock.ms += 15 * MINUTE_MS
      const next = tokenOf((await sessions.find(token))?.setCookie)
      clock.ms += 1000
      expect(await sessions.find(next)).toBeDefined()
      clock.ms += MINUTE_MS - 1000
      expect(await sessions.find(token)).toBeDefined()
      clock.ms += 1
      expect(await sessions.find(token)).toBe(undefined)
      // One of the two was stolen, and there is no way to tell which.
      expect(await sessions.find(next)).toBe(undefined)
    })

    it('survives a lost response', async () => {
      const { clock, sessions, token } = await setUp()
      clock.ms += 15 * MINUTE_MS
      const lost = tokenOf((await sessions.find(token))?.setCookie)
      clock.ms += DAY_MS
      const again = await sessions.find(token)
      const next = tokenOf(again?.setCookie)
      expect(next).toMatch(/^[\w-]{43}$/)
      expect(await sessions.find(lost)).toBe(undefined)
      expect(await sessions.find(next)).toBeDefined()
    })

    it('is proved only for the new token, even if that never arrived', async () => {
      const { clock, sessions, token } = await setUp()
      const proved = async (each: string) => (await sessions.find(each))?.provedAtMs
      const began = clock.ms
      clock.ms += 10 * MINUTE_MS
      const caller = await sessions.find(token)
      if (caller === undefined) throw new Error('The session has ended')
      expect(caller.provedAtMs).toBe(began)
      const next = tokenOf(await sessions.prove(caller))
      expect(await proved(token)).toBe(0)
      // The old token continues the session, but not the proof.
      clock.ms += MINUTE_MS + 1
      const stolen = await sessions.find(token)
      expect([stolen?.provedAtMs, await proved(tokenOf(stolen?.setCookie))]).toEqual([0, 0])
      expect(await proved(next)).toBe(undefined)
    })

    it('ends alone, with all others, or when it expires', async () => {
      const { db, clock, sessions, userUuid, token } = await setUp()
      const [two, three] = [
        await sessions.begin(userUuid, undefined),
        await sessions.begin(userUuid, undefined),
      ].map(tokenOf)
      const kept = await sessions.find(two ?? '')
      await sessions.removeOthers(userUuid, kept?.uuid)
      expect([await sessions.find(token), await sessions.find(three ?? '')]).toEqual([undefined, undefined])
      await expect(sessions.remove(await insertTestUser(db), kept?.uuid ?? '')).rejects.toMatchObject({
        code: 'not_found',
      })
      clock.ms += 31 * DAY_MS
      await sessions.sweep()
      expect(await db.sql.selectFrom('sessions').select('uuid').execute()).toEqual([])
    })

    it('stores no token in the database', async () => {
      const { db, token } = await setUp()
      expect(JSON.stringify(await db.sql.selectFrom('sessions').selectAll().execute())).not.toContain(token)
    })
  })
})

describe('the cookie', () => {
  it('is bound to its host with HTTPS', () => {
    expect([sessionCookieName(true), sessionCookieName(false)]).toEqual(['__Host-waymark', 'waymark'])
  })
})
