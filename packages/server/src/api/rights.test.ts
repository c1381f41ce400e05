import { Readable } from 'node:stream'
import { type OperationName, operations, type Role } from '@waymark/contract'
import { parseSetCookie } from 'cookie'
import { describe, expect, it, vi } from 'vitest'
import { signedIn, testServices } from '../modules/testing.ts'
import { actingFor } from '../net/admission/gate.ts'
import { jobCallerOf } from '../net/caller.ts'
import type { JobCaller } from '../storage/db/tables.ts'
import { forEachDatabase } from '../storage/db/testing.ts'
import { AppError } from '../net/errors.ts'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)

  /** An owner, and a member with a session. */
  const setUp = async (role: Role) => {
    const { core, modules, newUser } = services()
    const [workspaceUuid, userUuid] = [await newUser(), await newUser()]
    const row = { workspace_uuid: workspaceUuid, user_uuid: userUuid, role, created_at: 1 }
    await core.db.write(() => modules.accounts.workspaces.insertMember(row))
    const cookie = parseSetCookie(await modules.sessions.service.begin(userUuid, 'A browser'))
    const session = await modules.sessions.service.find(cookie?.value ?? '')
    if (session === undefined) throw new Error('There is no session')
    return { owner: signedIn(workspaceUuid), member: { ...session, workspaceUuid, role } }
  }
  type People = Awaited<ReturnType<typeof setUp>>

  const hold = (caller: People['member'], name: OperationName, scopes: readonly never[] = []) => {
    const stream = new Readable({ read: () => undefined })
    services().modules.rights.hold({ caller, operation: operations[name], needs: { scopes } }, stream)
    return stream
  }

  const isOpenAfter = async (stream: Readable): Promise<boolean> => {
    const { modules } = services()
    modules.accounts.memberships.forget()
    await modules.rights.check()
    return !stream.destroyed
  }

  describe('a stream ends with its right', () => {
    it.each<[string, OperationName, (people: People) => Promise<unknown>]>([
      [
        'a sign-out',
        'live',
        ({ member }) => services().modules.sessions.service.remove(member.userUuid, member.uuid),
      ],
      ['a changed password', 'live', ({ member }) => services().modules.sessions.service.replace(member)],
      [
        'a role that is too low',
        'auditLog',
        ({ owner, member: { userUuid: uuid } }) =>
          services().modules.accounts.workspaceService.editMember(owner, { uuid, role: 'viewer' }),
      ],
      [
        'a removed member',
        'live',
        ({ owner, member: { userUuid: uuid } }) =>
          services().modules.accounts.workspaceService.removeMember(owner, { uuid }),
      ],
      [
        'a required second factor',
        'live',
        ({ owner }) =>
          services().core.db.write(() =>
            services().modules.accounts.workspaces.update(owner.workspaceUuid, { require_second_factor: 1 }),
          ),
      ],
      [
        'a suspended workspace',
        'live',
        async ({ owner }) => {
          const { service, registry } = services().modules.abuse
          await service.suspend(owner.workspaceUuid, null)
          await registry.refresh()
        },
      ],
      [
        'a removed workspace',
        'live',
        ({ owner }) => services().modules.accounts.removal.removeWorkspace(owner.workspaceUuid),
      ],
    ])('%s', async (_, operation, end) => {
      const people = await setUp('admin')
      const stream = hold(people.member, operation)
      expect(await isOpenAfter(stream)).toBe(true)
      await end(people)
      expect(await isOpenAfter(stream)).toBe(false)
    })

    it('goes on after a change that leaves the right', async () => {
      const { owner, member } = await setUp('admin')
      const stream = hold(member, 'live')
      const { workspaceService } = services().modules.accounts
      await workspaceService.editMember(owner, { uuid: member.userUuid, role: 'viewer' })
      expect(await isOpenAfter(stream)).toBe(true)
      stream.destroy()
    })

    it('of a key and a token that are revoked', async () => {
      const { keys } = services().modules
      const { member } = await setUp('admin')
      const [key, token] = [await keys.service.create(member, {}), await keys.tokens.create(member, {})]
      for (const [kind, grants, uuid] of [
        ['key', keys.service, key.uuid],
        ['token', keys.tokens, token.uuid],
      ] as const) {
        const stream = hold({ ...member, kind, uuid }, 'live')
        expect(await isOpenAfter(stream)).toBe(true)
        await grants.remove(member.workspaceUuid, uuid)
        expect(await isOpenAfter(stream)).toBe(false)
      }
    })
  })

  describe('a job', () => {
    const permitted = (job: JobCaller) => services().modules.rights.permitsJob(job, 'importLinks')

    it('goes on after a sign-out, and ends with the membership', async () => {
      const { owner, member } = await setUp('editor')
      const { sessions, accounts } = services().modules
      const job = jobCallerOf(member)
      await sessions.service.remove(member.userUuid, member.uuid)
      expect(await permitted(job)).toBe(true)
      await accounts.workspaceService.editMember(owner, { uuid: member.userUuid, role: 'viewer' })
      accounts.memberships.forget()
      expect(await permitted(job)).toBe(false)
    })

    it('ends with the key that started it, but not with another key', async () => {
      const { member } = await setUp('editor')
      const { service } = services().modules.keys
      const [{ uuid }, other] = [await service.create(member, {}), await service.create(member, {})]
      const job = jobCallerOf({ ...member, kind: 'key', uuid })
      await service.remove(member.workspaceUuid, other.uuid)
      expect(await permitted(job)).toBe(true)
      await service.remove(member.workspaceUuid, uuid)
      expect(await permitted(job)).toBe(false)
    })

    it('needs the scope of its operation', async () => {
      const { member } = await setUp('editor')
      const { uuid } = await services().modules.keys.service.create(member, { scopes: ['links:read'] })
      expect(await permitted(jobCallerOf({ ...member, kind: 'key', uuid }))).toBe(false)
    })
  })

  it('one failing check ends neither its stream nor the checks of others', async () => {
    const [{ member }, other] = [await setUp('viewer'), await setUp('viewer')]
    const [stream, ending] = [hold(member, 'live'), hold(other.member, 'live')]
    const { modules } = services()
    const { memberships } = modules.accounts
    await modules.accounts.workspaceService.removeMember(other.owner, { uuid: other.member.userUuid })
    const failing = vi
      .spyOn(memberships, 'of')
      .mockImplementation((userUuid) =>
        userUuid === member.userUuid ? Promise.reject(new AppError('unavailable')) : Promise.resolve([]),
      )
    await modules.rights.check()
    failing.mockRestore()
    expect([stream.destroyed, ending.destroyed]).toEqual([false, true])
    stream.destroy()
  })

  it('goes on checking after the client of the first stream has left', async () => {
    const { owner, member } = await setUp('viewer')
    const gone = { isGone: () => true }
    const first = actingFor(gone, () => hold(member, 'live'))
    const second = hold(member, 'live')
    first.destroy()
    await services().modules.accounts.workspaceService.removeMember(owner, { uuid: member.userUuid })
    await expect.poll(() => second.destroyed).toBe(true)
  })
})
