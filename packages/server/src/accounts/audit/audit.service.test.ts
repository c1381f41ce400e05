import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import { type AuditEntry, AuditService } from './audit.service.ts'
import { createAuditStore } from './audit.store.ts'

forEachDatabase((_engine, open) => {
  const opened = async () => {
    const db = await open()
    const lines: unknown[] = []
    let [nowMs, ids] = [1_800_000_000_000, 0]
    const clock = { pass: (ms: number) => void (nowMs += ms) }
    const create = () =>
      new AuditService({
        db,
        store: createAuditStore(db),
        retentionDays: 30,
        log: { info: (line: unknown) => void lines.push(line) },
        now: () => nowMs,
        newId: () =>
          `${nowMs.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-7000-8000-${String(++ids).padStart(12, '0')}`,
      })
    const [user, other] = [await insertTestUser(db), await insertTestUser(db)]
    const entry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
      workspace_uuid: user,
      actor: 'user',
      credential_uuid: null,
      user_uuid: user,
      operation: 'editLinks',
      resources: '[]',
      resource_count: 0,
      fields: '["title"]',
      details: null,
      address: '192.0.2.0/24',
      request_id: 'r',
      ...fields,
    })
    const operations = async (audit: AuditService, of = user) =>
      (await audit.list(of, {})).items.map(({ operation }) => operation)
    return { db, audit: create(), create, clock, lines, user, other, entry, operations }
  }

  it('stores an entry and its change in one transaction, and logs it after the commit', async () => {
    const { db, audit, lines, user, other, entry, operations } = await opened()
    await db.write(() => audit.record([entry(), entry({ workspace_uuid: other })]))
    const failed = db.write(async () => {
      await audit.record([entry({ operation: 'removeLinks' })])
      throw new Error('Fails after its entry')
    })
    await expect(failed).rejects.toThrow('Fails after')
    expect(await operations(audit)).toEqual(['editLinks'])
    expect(await operations(audit, other)).toEqual(['editLinks'])
    expect(lines).toMatchObject([
      { audit: { workspace_uuid: user, operation: 'editLinks', resources: [], fields: ['title'] } },
      { audit: { workspace_uuid: other } },
    ])
  })

  it('names either the workspace or its first user, who has the same uuid, depending on the operation', async () => {
    const { db, audit, user, entry } = await opened()
    await db.write(async () => {
      await db.sql.updateTable('workspaces').set({ name: 'Shop' }).where('uuid', '=', user).execute()
      await db.sql.updateTable('users').set({ first_name: 'Ada' }).where('uuid', '=', user).execute()
    })
    const resources = JSON.stringify([user])
    const all = ['createWorkspace', 'editWorkspace', 'leaveWorkspace', 'user suspend', 'editMember']
    await db.write(() => audit.record(all.map((operation) => entry({ operation, resources }))))
    const { items } = await audit.list(user, {})
    expect(items.map(({ operation, resources: [named] }) => [operation, named?.name]).toReversed()).toEqual([
      ['createWorkspace', 'Shop'],
      ['editWorkspace', 'Shop'],
      ['leaveWorkspace', 'Shop'],
      ['user suspend', 'Shop'],
      ['editMember', 'Ada'],
    ])
  })

  it('filters by credential', async () => {
    const { db, audit, user, entry } = await opened()
    const actors = ['user', 'command_line', 'system'] as const
    await db.write(() => audit.record(actors.map((actor) => entry({ actor }))))
    for (const actor of actors)
      expect((await audit.list(user, { actor })).items.map((item) => item.actor)).toEqual([actor])
  })

  it('counts rejected requests of all processes per hour in one entry', async () => {
    const { audit, create, clock, user, entry } = await opened()
    const second = create()
    for (const each of [audit, second, second]) each.noteRejected(entry())
    audit.noteRejected(entry({ operation: 'removeLinks' }))
    clock.pass(HOUR_MS)
    audit.noteRejected(entry())
    // Its workspace is deleted, but the others are stored.
    audit.noteRejected(entry({ workspace_uuid: crypto.randomUUID() }))
    await audit.storeRejected()
    await second.storeRejected()
    const { items, total } = await audit.list(user, {})
    expect(total).toBe(3)
    const counts = items.map(({ operation, rejected }) => `${operation} ${rejected}`)
    expect(counts.toSorted()).toEqual(['editLinks 1', 'editLinks 3', 'removeLinks 1'])
    expect(items[0]?.created_at).toBe('2027-01-15T09:00:00.000Z')
  })

  it('deletes entries older than the retention, and those of a deleted workspace', async () => {
    const { db, audit, clock, user, other, entry, operations } = await opened()
    await db.write(() => audit.record([entry()]))
    clock.pass(31 * DAY_MS)
    await db.write(() => audit.record([entry({ operation: 'generateLink' })]))
    await db.write(() => audit.record([entry({ workspace_uuid: other })]))
    await audit.sweep()
    expect(await operations(audit)).toEqual(['generateLink'])
    expect(await db.write(() => audit.erase(user))).toBe(true)
    expect(await db.write(() => audit.erase(user))).toBe(false)
    expect([await operations(audit), await operations(audit, other)]).toEqual([[], ['editLinks']])
  })

  it('writes any number of entries as CSV, with formulas escaped', async () => {
    const { db, audit, user, entry } = await opened()
    await db.write(() =>
      db.sql.updateTable('users').set({ first_name: '=1+1' }).where('uuid', '=', user).execute(),
    )
    const entries = Array.from({ length: 501 }, (_, n) => entry({ operation: `op${n}`, request_id: `-${n}` }))
    await db.write(() => audit.record(entries))
    const rows = (await text(await audit.export(user, {}))).trim().split('\r\n')
    expect(rows).toHaveLength(502)
    expect(rows[1]).toContain(`,user,${user},'=1+1,,op500,`)
    expect(rows[501]).toContain(',op0,')
    expect(rows[1]).toMatch(/,-500$/)
  })
})
