/** Roles in a workspace, lowest first: each role includes the rights of the previous ones. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]

export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

/** What keys and access tokens can be limited to. UTM links, tags, imports, bulk edits and the trash are `links`. */
export const areas = ['links', 'codes', 'pages', 'analytics', 'domains', 'webhooks', 'account'] as const

export type Scope = `${(typeof areas)[number]}:${'read' | 'write'}`

export const scopes: readonly Scope[] = areas.flatMap((area): Scope[] => [`${area}:read`, `${area}:write`])

export const readScopes: readonly Scope[] = areas.map((area): Scope => `${area}:read`)

/** Whether scopes include one; `<area>:write` includes `<area>:read`. Without a list everything is included. */
export const includesScope = (granted: readonly Scope[] | undefined, wanted: Scope): boolean =>
  granted === undefined ||
  granted.includes(wanted) ||
  granted.some((scope) => scope === wanted.replace(/:read$/, ':write'))
