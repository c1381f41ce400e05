/** What a member may do in a workspace, least first: each role may do what the ones before it may. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]

export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)
