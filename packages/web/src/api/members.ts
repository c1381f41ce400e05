import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Member } from '@waymark/sdk'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { useMay, workspacesChanged } from './workspaces.ts'

export const membersQuery = queryOptions({
  queryKey: ['members', 'list'],
  queryFn: async ({ signal }) => (await api.members({}, { signal })).data,
})

export const invitationsQuery = queryOptions({
  queryKey: ['members', 'invitations'],
  queryFn: async ({ signal }) => (await api.invitations({}, { signal })).data,
})

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => (await api.tokens({ limit: 1000 }, { signal })).data,
})

/** Reloads members, invitations and the user's own role. */
export const membersChanged = async (): Promise<void> => {
  await Promise.all([queryClient.invalidateQueries({ queryKey: ['members'] }), workspacesChanged()])
}

export const memberName = ({
  first_name,
  last_name,
  email,
}: Pick<Member, 'first_name' | 'last_name' | 'email'>): string =>
  [first_name, last_name].filter((part) => part !== null && part !== '').join(' ') || email

/** Finds the name of the member who created something. */
export function useMemberNames(): (uuid: string | null) => string | undefined {
  const may = useMay()
  const { data } = useQuery({ ...membersQuery, enabled: may('members') })
  return (uuid) => {
    const member = data?.find((each) => each.uuid === uuid)
    return member && memberName(member)
  }
}
