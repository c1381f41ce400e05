import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { createWorkspaceStore } from '../users/workspaces.store.ts'
import { TokenService } from './tokens.service.ts'

forEachDatabase((_engine, open) => {
  const opened = async () => {
    const db = await open()
    const notices: unknown[] = []
    let ids = 0
    const tokens = new TokenService({
      db,
      mail: { notify: (to, notice) => void notices.push([to, notice]) },
      callerChanged: () => tokens.forget(),
      reportError: (error) => {
        throw error
      },
      now: () => 1_800_000_000_000,
      newId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
    })
    const [user, other] = [await insertTestUser(db), await insertTestUser(db)]
    return { db, tokens, notices, user, other }
  }

  it('shows a token once, stores only its hash, and finds it until it is revoked', async () => {
    const { db, tokens, notices, user, other } = await opened()
    const made = await tokens.create({ workspaceUuid: user, userUuid: user }, { name: 'ci' })
    expect(made.token).toMatch(/^wmt_[\w-]{43}$/)
    expect(notices).toEqual([[{ userUuid: user }, { kind: 'token_created', name: 'ci' }]])
    expect(JSON.stringify(await db.sql.selectFrom('tokens').selectAll().execute())).not.toContain(made.token)
    expect(await tokens.findUsable(made.token)).toMatchObject({ uuid: made.uuid, workspaceUuid: user })
    expect(await tokens.findUsable(`${made.token}x`)).toBeUndefined()
    expect((await tokens.list(user, {})).items).toMatchObject([{ uuid: made.uuid, name: 'ci' }])
    expect((await tokens.list(other, {})).items).toEqual([])
    await expect(tokens.remove(other, made.uuid)).rejects.toMatchObject({ code: 'not_found' })
    await tokens.remove(user, made.uuid)
    expect(await tokens.findUsable(made.token)).toBeUndefined()
  })

  it('a token of the command line acts as owner, until it is kept with the role of a removed member', async () => {
    const { tokens, user, other } = await opened()
    const { token, uuid } = await tokens.create({ workspaceUuid: user, userUuid: other }, {}, true)
    const plain = await tokens.create({ workspaceUuid: other, userUuid: other }, {})
    expect(await tokens.findUsable(token)).toMatchObject({ byOperator: true })
    expect(await tokens.findUsable(plain.token)).not.toHaveProperty('byOperator')
    await tokens.removeAll(other, user, 'viewer')
    const kept = await tokens.findUsable(token)
    expect([kept?.userUuid, kept?.byOperator, kept?.keptRole]).toEqual([uuid, undefined, 'viewer'])
    expect((await tokens.list(user, {})).items).toMatchObject([{ uuid, created_by: null }])
    // Neither a reset of the former creator nor their return changes it.
    await tokens.removeAll(other)
    expect(await tokens.findUsable(token)).toMatchObject({ keptRole: 'viewer' })
    expect(await tokens.findUsable(plain.token)).toBeUndefined()
  })

  it('waits for the removal of its creator, and is then rejected', async () => {
    const { db, tokens, user, other } = await opened()
    const member = { workspace_uuid: user, user_uuid: other, role: 'admin' as const, created_at: 1 }
    const workspaces = createWorkspaceStore(db)
    await db.write(() => workspaces.insertMember(member))
    const [removed, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const removal = db.write(async () => {
      await workspaces.lock([user])
      await workspaces.removeMember(user, other)
      await tokens.removeAll(other, user)
      removed.resolve()
      await finished.promise
    })
    await removed.promise
    const creation = tokens.create({ workspaceUuid: user, userUuid: other }, {})
    const outcome = expect(creation).rejects.toMatchObject({ code: 'not_found' })
    // Long enough for a creation that does not wait.
    await setTimeout(200)
    finished.resolve()
    await Promise.all([removal, outcome])
    await db.write(() => workspaces.insertMember(member))
    expect((await tokens.list(user, {})).items).toEqual([])
  })

  it('finds no token of a deleted workspace', async () => {
    const { db, tokens, user } = await opened()
    const { token } = await tokens.create({ workspaceUuid: user, userUuid: user }, {})
    await db.write(() =>
      db.sql.updateTable('workspaces').set({ removed_at: 1 }).where('uuid', '=', user).execute(),
    )
    expect(await tokens.findUsable(token)).toBeUndefined()
  })
})
