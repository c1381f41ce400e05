import { type Role, scopesOfRole } from '@waymark/contract'
import { created, done, listedWhole, on, type Routes } from '../../api/routes.ts'
import type { Caller } from '../../net/caller.ts'
import type { Module } from '../../modules/module.ts'
import type { RemovalService } from './removal.service.ts'
import { leastToGrant, type WorkspaceService } from './workspaces.service.ts'

interface WorkspaceParts {
  readonly service: WorkspaceService
  readonly removal: RemovalService
  readonly erase: (workspaceUuid: string) => Promise<void>
  readonly requireConfirmed: (userUuid: string) => Promise<void>
}

/** Workspaces, members and invitations. */
export const workspacesModule = (parts: WorkspaceParts): Module => ({ routes: workspaceRoutes(parts) })

/** A key or token belongs to one workspace. One of the user's first workspace acts for the user and sees all of them. */
const visibleTo = async (
  { kind, userUuid, workspaceUuid }: Caller,
  service: WorkspaceService,
): ReturnType<WorkspaceService['list']> => {
  const all = await service.list(userUuid)
  return kind === 'session' || workspaceUuid === all[0]?.uuid
    ? all
    : all.filter(({ uuid }) => uuid === workspaceUuid)
}

/** A key or token grants no rights that it lacks itself: a member has all scopes of the role. */
const needsToGrant = (role: Role) => ({ role: leastToGrant(role), scopes: scopesOfRole(role) })

const workspaceRoutes = ({ service, removal, erase, requireConfirmed }: WorkspaceParts): Routes => [
  on('workspaces', ({ caller }) => listedWhole('Workspaces', visibleTo(caller, service))),
  on('createWorkspace', ({ caller, body }) =>
    created('Workspace created', service.create(caller.userUuid, body.name)),
  ),
  on('editWorkspace', ({ caller, body }) => done('Workspace saved', service.edit(caller, body))),
  on('removeWorkspace', {
    prepare: async () => undefined,
    run: async ({ caller: { workspaceUuid } }) => {
      await removal.removeWorkspace(workspaceUuid)
      return done('Workspace removed', { uuid: workspaceUuid })
    },
    after: ({ caller }) => erase(caller.workspaceUuid),
  }),
  on('leaveWorkspace', ({ caller, body }) =>
    done('You have left the workspace', service.leave(caller.userUuid, body.uuid)),
  ),
  on('members', ({ caller }) => listedWhole('Members', service.listMembers(caller.workspaceUuid))),
  on('editMember', {
    needs: async ({ caller, body }) => ({
      ...needsToGrant(body.role),
      role: leastToGrant(
        body.role === 'owner' ? 'owner' : await service.roleOf(caller.workspaceUuid, body.uuid),
      ),
    }),
    prepare: async () => undefined,
    run: ({ caller, body }) => done('Member saved', service.editMember(caller, body)),
  }),
  on('removeMember', {
    needs: async ({ caller, body }) => ({
      role: leastToGrant(await service.roleOf(caller.workspaceUuid, body.uuid)),
      scopes: [],
    }),
    prepare: async () => undefined,
    run: ({ caller, body }) => done('Member removed', service.removeMember(caller, body)),
  }),
  on('invitations', ({ caller }) =>
    listedWhole('Invitations', service.listInvitations(caller.workspaceUuid)),
  ),
  on('inviteMember', {
    needs: async ({ body }) => needsToGrant(body.role),
    prepare: async ({ caller }) => {
      await requireConfirmed(caller.userUuid)
      await service.admitInvitation(caller)
    },
    run: ({ caller, body, request }) =>
      created(
        'Invitation created; its link is not shown again',
        service.invite(caller, body, request.acceptLanguage),
      ),
  }),
  on('removeInvitation', ({ caller, body }) =>
    done('Invitation withdrawn', service.removeInvitation(caller.workspaceUuid, body.uuid)),
  ),
  on('checkInvitation', ({ body }) => done('Invitation', service.checkInvitation(body.token))),
  on('acceptInvitation', ({ caller, body }) =>
    done('You are a member of the workspace', service.accept(caller.userUuid, body.token)),
  ),
]
