import { queryOptions, useQuery } from '@tanstack/react-query'
import { isAtLeast, type Role } from '@waymark/contract'
import type { OperationName, Workspace } from '@waymark/sdk'
import { calls } from '@waymark/sdk/calls'
import { toast } from '../shell/toasts.ts'
import { profileQuery } from './account.ts'
import {
  chooseWorkspace,
  chosenWorkspace,
  rememberedWorkspace,
  useChosenWorkspace,
} from './chosen-workspace.ts'
import { api, whenWorkspaceIsLost } from './client.ts'
import { queryClient } from './query-client.ts'

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async ({ signal }) => (await api.workspaces({}, { signal })).data,
  staleTime: 60_000,
})

/** Data of the user or the server, independent of the workspace. */
const PERSONAL: ReadonlySet<unknown> = new Set([
  'profile',
  'workspaces',
  'instance',
  'email-status',
  'second-factors',
  'sessions',
])

/** Switches to another workspace, and clears everything that was loaded in the previous one. */
const enter = (email: string, uuid: string | null): void => {
  toast.clear()
  queryClient.removeQueries({ predicate: ({ queryKey }) => !PERSONAL.has(queryKey[0]) })
  chooseWorkspace(email, uuid)
}

const emailOfUser = (): string => queryClient.getQueryData(profileQuery.queryKey)?.email ?? ''

/** Switches to the chosen workspace, or to the first one if the user is no longer a member of it. */
export const settleWorkspace = (workspaces: readonly Workspace[]): void => {
  const email = emailOfUser()
  const wanted = chosenWorkspace() ?? rememberedWorkspace(email)
  const [first] = workspaces
  const found = workspaces.find(({ uuid }) => uuid === wanted)
  if (found !== undefined) return chooseWorkspace(email, found.uuid)
  enter(email, first?.uuid ?? null)
  if (wanted !== null && first !== undefined)
    toast.failure(`You are no longer a member of that workspace. You are now in ${first.name}.`)
}

/** Reloads the user's workspaces, after a change of them or of the user's role. */
export const workspacesChanged = async (): Promise<void> => {
  settleWorkspace(await queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 }))
}

/** After the user has left or removed this workspace: switches to the first remaining one. */
export const workspacesLeft = async (): Promise<void> => {
  const workspaces = await queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 })
  enter(emailOfUser(), workspaces[0]?.uuid ?? null)
}

/** After the user has become a member of a workspace: switches to it. */
export const joinWorkspace = async (uuid: string): Promise<void> => {
  await queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 })
  enter(emailOfUser(), uuid)
}

whenWorkspaceIsLost(() => void workspacesChanged().catch(() => undefined))

export const switchWorkspace = (uuid: string): void => {
  if (uuid !== chosenWorkspace()) enter(emailOfUser(), uuid)
}

export const otherWorkspaces = (): readonly Workspace[] =>
  queryClient.getQueryData(workspacesQuery.queryKey)?.filter(({ uuid }) => uuid !== chosenWorkspace()) ?? []

/** The workspace of this tab; undefined for a user without workspaces. */
export const useWorkspace = (): Workspace | undefined => {
  const chosen = useChosenWorkspace()
  return useQuery(workspacesQuery).data?.find(({ uuid }) => uuid === chosen)
}

const leastRole = (name: OperationName): Role | undefined => (calls[name] as { readonly role?: Role }).role

const allows = (workspace: Workspace | undefined, name: OperationName): boolean => {
  const least = leastRole(name)
  return least === undefined || (workspace !== undefined && isAtLeast(workspace.role, least))
}

/** Whether the user's role allows an operation in this workspace, according to the table of operations. */
export const useMay = (): ((name: OperationName) => boolean) => {
  const workspace = useWorkspace()
  return (name) => allows(workspace, name)
}

/** Like `useMay`, outside of components. */
export const mayNow = (name: OperationName): boolean => {
  const workspaces = queryClient.getQueryData(workspacesQuery.queryKey)
  return allows(
    workspaces?.find(({ uuid }) => uuid === chosenWorkspace()),
    name,
  )
}

/** Why the user may not do something. */
export const useRoleReason = (name: OperationName): string => {
  const workspace = useWorkspace()
  return `This needs the role ${leastRole(name) ?? 'viewer'} in ${workspace?.name ?? 'this workspace'}; yours is ${workspace?.role ?? 'none'}.`
}
