import { createHash } from 'node:crypto'
import type { Role } from '@waymark/contract'
import { expect, it } from 'vitest'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { parsePlans } from './plans.ts'
import { createUserStore } from './users.store.ts'
import { MembershipCache, type WorkspaceDependencies, WorkspaceService } from './workspaces.service.ts'
import { createWorkspaceStore } from './workspaces.store.ts'

forEachDatabase((_engine, open) => {
  const opened = async () => {
    const db = await open()
    const ended: unknown[] = []
    const mailed: unknown[] = []
    const withFactor = new Set<string>()
    const workspaces = new WorkspaceService({
      db,
      store: createWorkspaceStore(db),
      users: createUserStore(db),
      plans: parsePlans([{ name: 'free', limits: { workspaces: 2 } }]),
      invoices: { issueDue: async () => {} },
      endMembership: async (...who: unknown[]) => void ended.push(who),
      hasFactor: async (userUuid: string) => withFactor.has(userUuid),
      callerChanged: () => {},
      mail: { sendInvitation: (_to: string, from: unknown) => void mailed.push(from) },
      dashboardUrl: 'https://way.example/app',
      now: () => 1_800_000_000_000,
      newId: () => crypto.randomUUID(),
    } as unknown as WorkspaceDependencies)
    const [owner, other] = [await insertTestUser(db), await insertTestUser(db)]
    const join = (workspace_uuid: string, user_uuid: string, role: Role) =>
      db.write(() =>
        db.sql.insertInto('members').values({ workspace_uuid, user_uuid, role, created_at: 9 }).execute(),
      )
    const memberships = new MembershipCache(createWorkspaceStore(db), async (userUuid) =>
      withFactor.has(userUuid),
    )
    return { db, workspaces, memberships, withFactor, owner, other, ended, mailed, join }
  }

  it('lets a user create as many workspaces as the plan allows', async () => {
    const { workspaces, owner } = await opened()
    const made = await workspaces.create(owner, 'Second')
    expect(made).toMatchObject({ name: 'Second', role: 'owner' })
    expect((await workspaces.list(owner)).map(({ uuid }) => uuid)).toEqual([owner, made.uuid])
    await expect(workspaces.create(owner, 'Third')).rejects.toMatchObject({ code: 'quota_reached' })
  })

  it('lets a user be a member of 50 workspaces', async () => {
    const { db, workspaces, owner, other, join } = await opened()
    for (let n = 1; n < 50; n++) await join(await insertTestUser(db), owner, 'editor')
    const full = { code: 'too_many_workspaces' }
    await expect(workspaces.create(owner, 'One more')).rejects.toMatchObject(full)
    const invitation = {
      uuid: crypto.randomUUID(),
      workspace_uuid: other,
      email: 'ann@example.com',
      role: 'viewer' as const,
      token_hash: createHash('sha256').update('a token').digest('hex'),
      created_by: null,
      credential_uuid: null,
      created_at: 1,
      expires_at: 1_800_000_000_001,
    }
    await db.write(() => db.sql.insertInto('invitations').values(invitation).execute())
    await expect(workspaces.accept(owner, 'a token')).rejects.toMatchObject(full)
    expect(await workspaces.isInvitation('a token')).toBe(true)
  })

  it('never leaves a workspace without an owner', async () => {
    const { workspaces, owner, other, ended, join } = await opened()
    await join(owner, other, 'editor')
    const acting = { userUuid: owner, workspaceUuid: owner }
    const lower = () => workspaces.editMember(acting, { uuid: owner, role: 'viewer' })
    await expect(lower()).rejects.toMatchObject({ code: 'last_owner' })
    await expect(workspaces.leave(owner, owner)).rejects.toMatchObject({ code: 'last_owner' })
    expect(await workspaces.editMember(acting, { uuid: other, role: 'owner' })).toMatchObject({
      role: 'owner',
    })
    expect(await lower()).toMatchObject({ role: 'viewer' })
    await workspaces.leave(owner, owner)
    expect(ended).toEqual([[owner, owner, undefined]])
  })

  it('lets a member with a second factor require one of all members', async () => {
    const { workspaces, memberships, withFactor, owner, other, join } = await opened()
    await join(owner, other, 'editor')
    const acting = { userUuid: owner, workspaceUuid: owner }
    const requireFactor = () => workspaces.edit(acting, { require_second_factor: true })
    await expect(requireFactor()).rejects.toMatchObject({
      errors: { require_second_factor: ['Set up a second factor of your own first'] },
    })
    expect(await memberships.of(other)).toEqual([
      { workspaceUuid: other, role: 'owner' },
      { workspaceUuid: owner, role: 'editor' },
    ])
    withFactor.add(owner)
    expect(await requireFactor()).toMatchObject({ require_second_factor: true })
    memberships.forget()
    expect(await memberships.of(owner)).toEqual([{ workspaceUuid: owner, role: 'owner' }])
    expect(await memberships.of(other)).toEqual([
      { workspaceUuid: other, role: 'owner' },
      { workspaceUuid: owner, role: 'editor', lacksSecondFactor: true },
    ])
  })

  it('invites in the name of a user, unless that is an advertisement', async () => {
    const { db, workspaces, owner, mailed } = await opened()
    const email = `${owner}@example.com`
    const names = ['Ada', 'Win at shop.example', 'x'.repeat(101), 'https://']
    for (const [n, first_name] of names.entries()) {
      await db.write(() =>
        db.sql.updateTable('users').set({ first_name }).where('uuid', '=', owner).execute(),
      )
      const invitation = { email: `${n}@example.com`, role: 'viewer' as const }
      await workspaces.invite(
        { kind: 'session', uuid: '', userUuid: owner, workspaceUuid: owner },
        invitation,
      )
    }
    expect(mailed).toMatchObject([{ name: 'Ada' }, { name: email }, { name: email }, { name: email }])
  })

  it('lets only owners change owners', async () => {
    const { workspaces, owner, other, join } = await opened()
    await join(owner, other, 'admin')
    const acting = { userUuid: other, workspaceUuid: owner }
    await expect(workspaces.editMember(acting, { uuid: owner, role: 'viewer' })).rejects.toMatchObject({
      code: 'role_missing',
    })
    await expect(workspaces.removeMember(acting, { uuid: owner })).rejects.toMatchObject({
      code: 'role_missing',
    })
  })
})
