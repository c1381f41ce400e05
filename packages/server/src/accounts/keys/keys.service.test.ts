import { expect, it } from 'vitest'
import { createSecrets } from '../../storage/secrets.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { KeyService } from './keys.service.ts'

const ownedBy = (uuid: string) => ({ workspaceUuid: uuid, userUuid: uuid })

forEachDatabase((_engine, open) => {
  const opened = async () => {
    const db = await open()
    const clock = { ms: 1_800_000_000_000 }
    const changes = { count: 0 }
    const reported: unknown[] = []
    const notices: unknown[] = []
    let ids = 0
    const keys = new KeyService({
      db,
      secrets: createSecrets('a secret for tests that nobody else knows'),
      mail: { notify: (to, notice) => void notices.push([to, notice]) },
      callerChanged: () => {
        changes.count++
        keys.forget()
      },
      reportError: (error) => reported.push(error),
      now: () => clock.ms,
      newId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
    })
    return {
      db,
      keys,
      clock,
      changes,
      reported,
      notices,
      user: await insertTestUser(db),
      other: await insertTestUser(db),
    }
  }

  it('shows the secret once and keeps it sealed', async () => {
    const { db, keys, user, notices } = await opened()
    const made = await keys.create(ownedBy(user), { name: 'ci' })
    expect(notices).toEqual([[{ userUuid: user }, { kind: 'key_created', name: 'ci', apiKey: made.api_key }]])
    expect(made).toMatchObject({
      api_key: expect.stringMatching(/^wm_[\w-]{24}$/),
      secret: expect.stringMatching(/^wms_[\w-]{43}$/),
      name: 'ci',
      last_used_at: null,
    })
    const { secret, ...shown } = made
    expect((await keys.list(user, {})).items).toEqual([shown])
    const rows = await db.sql.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(await keys.findUsable(made.api_key)).toEqual({
      uuid: made.uuid,
      userUuid: user,
      workspaceUuid: user,
      secret,
      expiresAtMs: null,
      allows: expect.any(Function),
      signatureRequired: false,
    })
  })

  it('lists newest first in pages, without the keys of others', async () => {
    const { keys, user, other } = await opened()
    for (const name of ['a', 'b', 'c']) await keys.create(ownedBy(user), { name })
    await keys.create(ownedBy(other), { name: 'theirs' })
    const first = await keys.list(user, { limit: 2 })
    expect([first.items.map(({ name }) => name), first.total]).toEqual([['c', 'b'], 3])
    const rest = await keys.list(user, { limit: 2, cursor: first.nextCursor ?? '' })
    expect([rest.items.map(({ name }) => name), rest.nextCursor]).toEqual([['a'], null])
  })

  it('a revoked key is unknown immediately, and other processes are notified', async () => {
    const { keys, changes, user, other } = await opened()
    const { uuid, api_key } = await keys.create(ownedBy(user), {})
    expect(await keys.findUsable(api_key)).toBeDefined()
    await expect(keys.remove(other, uuid)).rejects.toMatchObject({ code: 'not_found' })
    expect([changes.count, await keys.findUsable(api_key)]).toMatchObject([0, { uuid }])
    expect(await keys.remove(user, uuid)).toEqual({ uuid })
    expect([changes.count, await keys.findUsable(api_key)]).toEqual([1, undefined])
    expect((await keys.list(user, {})).total).toBe(0)
    await expect(keys.remove(user, uuid)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('can be revoked by its value on the command line', async () => {
    const { keys, user } = await opened()
    const { api_key } = await keys.create(ownedBy(user), {})
    await keys.revokeByKey(api_key)
    expect(await keys.findUsable(api_key)).toBeUndefined()
    await expect(keys.revokeByKey(api_key)).rejects.toMatchObject({
      code: 'not_found',
      message: `There is no key ${api_key}`,
    })
  })

  it('no key of a deleted account is usable', async () => {
    const { db, keys, user } = await opened()
    const { api_key } = await keys.create(ownedBy(user), {})
    await db.write(() =>
      db.sql.updateTable('workspaces').set({ removed_at: 1 }).where('uuid', '=', user).execute(),
    )
    expect(await keys.findUsable(api_key)).toBeUndefined()
  })

  it('records its use, at most once a minute', async () => {
    const { keys, clock, reported, user } = await opened()
    const { uuid } = await keys.create(ownedBy(user), {})
    const usedAt = async () => (await keys.list(user, {})).items[0]?.last_used_at
    keys.noteUse(uuid)
    await expect.poll(usedAt).toBe(new Date(clock.ms).toISOString())
    const before = await usedAt()
    clock.ms += 1_000
    keys.noteUse(uuid)
    // This write comes after the one that the second use would have made.
    await keys.create(ownedBy(user), { name: 'another' })
    expect([(await keys.list(user, {})).items.at(-1)?.last_used_at, reported]).toEqual([before, []])
  })
})
