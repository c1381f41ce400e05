import { z } from 'zod'
import { namesUrl } from '../deceptive-names.ts'
import { roles } from '../roles.ts'
import { described, named } from './described.ts'
import { email, instant, opaque, required, singleLine, uuid } from './fields.ts'
import { list, ListQuery, Removed, resourceTexts, success, time, wholeList } from './responses.ts'

const role = z.enum(roles)

const workspaceTexts = {
  ...resourceTexts,
  name: 'Name of the workspace, at most 60 characters.',
  role: 'What you may do in it.',
  require_second_factor: 'Whether members must have a second factor.',
  members: 'Number of members.',
}

const name = required(singleLine(60))
  .refine((value) => value === '' || value.trim() !== '', 'This field is required')
  .refine((value) => !namesUrl(value), 'Must not contain a URL')

const Workspace = named(
  'Workspace',
  'A workspace: it owns links, codes, pages, domains, keys, webhooks, plan and invoices.',
  z.object(
    described(workspaceTexts, {
      uuid: z.string(),
      name: z.string(),
      role,
      require_second_factor: z.boolean(),
      members: z.int(),
      created_at: time,
      updated_at: time,
    }),
  ),
)

const memberTexts = {
  ...resourceTexts,
  uuid: 'Identifies the user.',
  email: 'Email address.',
  first_name: 'First name.',
  last_name: 'Last name.',
  role: 'What the member may do: `viewer`, `editor`, `admin` or `owner`.',
  created_at: 'When the user became a member (ISO 8601, UTC).',
}

const Member = named(
  'Member',
  'A member of a workspace.',
  z.object(
    described(memberTexts, {
      uuid: z.string(),
      email: z.string(),
      first_name: z.string().nullable(),
      last_name: z.string().nullable(),
      role,
      created_at: time,
    }),
  ),
)

const invitationTexts = {
  ...resourceTexts,
  email: 'The address that was invited.',
  role: 'The role that the new member gets.',
  created_by: 'The `uuid` of the user who invited; null if a key without a user did.',
  expires_at: 'Until when the link works (ISO 8601, UTC).',
  invite_url: 'The link to accept with. It works once. Shown this once.',
  token: 'The token of the link.',
  workspace: 'Name of the workspace.',
  invited_by: 'Name or email address of the user who invited; null once that user is removed.',
}

const Invitation = named(
  'Invitation',
  'An invitation that was not accepted yet.',
  z.object(
    described(invitationTexts, {
      uuid: z.string(),
      email: z.string(),
      role,
      created_by: z.string().nullable(),
      created_at: time,
      expires_at: time,
    }),
  ),
)

const NewInvitation = named(
  'NewInvitation',
  'A new invitation with its link.',
  Invitation.extend(described(invitationTexts, { invite_url: z.string() })),
)

const entryTexts = {
  uuid: 'Identifies the entry.',
  created_at: 'When it happened (ISO 8601, UTC); of rejected requests, the beginning of the hour.',
  actor: 'What acted: `user`, `key`, `token`, `command_line` or `system`.',
  user: 'The user, or the user who created the key or token; null where there is none.',
  credential: 'The key or token; null where there is none.',
  operation: 'The operation, as in the API (`editLinks`), or the command (`key create`).',
  resources: 'What it changed, at most 20.',
  resource_count: 'How many resources it changed.',
  fields: 'Names of the fields that were set, or, of an edit, that it changed.',
  details: 'Values of roles and scopes, such as `{"role":"admin"}`; null where there are none.',
  rejected: 'How many such requests a missing role or scope rejected within the hour; 0 for a change.',
  address: 'Network of the client: the first 24 bits of an IPv4 address, 48 of an IPv6 address.',
  request_id: 'The `x-request-id` of the response.',
}

const withName = (uuidText: string, nameText: string) =>
  z.object(described({ uuid: uuidText, name: nameText }, { uuid: z.string(), name: z.string().nullable() }))

const actor = z.enum(['user', 'key', 'token', 'command_line', 'system'])

const AuditEntry = named(
  'AuditEntry',
  'An entry of the audit log.',
  z.object(
    described(entryTexts, {
      uuid: z.string(),
      created_at: time,
      actor,
      user: withName(
        'Identifies the user.',
        'Name or email address; null once the user is removed.',
      ).nullable(),
      credential: withName('Identifies the key or token.', 'Its name; null where it has none.').nullable(),
      operation: z.string(),
      resources: z.array(
        withName('Identifies the resource.', 'What it is called now; null once it is erased.'),
      ),
      resource_count: z.int(),
      fields: z.array(z.string()),
      details: z.record(z.string(), z.unknown()).nullable(),
      rejected: z.int(),
      address: z.string().nullable(),
      request_id: z.string().nullable(),
    }),
  ),
)

const AuditQuery = ListQuery.omit({ search: true, uuid: true }).extend(
  described(
    {
      actor: 'Only entries of this kind of actor, such as `command_line`.',
      user: 'Only entries of the user with this `uuid`.',
      credential: 'Only entries of the key or token with this `uuid`.',
      operation: 'Only entries of this operation, such as `editLinks`.',
      resource: 'Only entries that name the resource with this `uuid`.',
      from: 'Only entries from this time on (`YYYY-MM-DD` or ISO 8601).',
      to: 'Only entries up to this time (`YYYY-MM-DD`, the end of that day, or ISO 8601).',
      format: '`csv` returns all entries that match as a CSV file.',
    },
    {
      actor: actor.optional(),
      user: opaque(64).optional(),
      credential: opaque(64).optional(),
      operation: opaque(64).optional(),
      resource: opaque(64).optional(),
      from: instant(false).optional(),
      to: instant().optional(),
      format: z.enum(['json', 'csv']).optional(),
    },
  ),
)

const token = z.object(described(invitationTexts, { token: required(opaque(256)) }))

/** Workspaces, members, invitations and the audit log. */
export const workspaceSchemas = {
  workspaces: { response: wholeList(Workspace) },
  createWorkspace: { body: z.object(described(workspaceTexts, { name })), response: success(Workspace) },
  editWorkspace: {
    body: z.object(
      described(workspaceTexts, { name: name.nullish(), require_second_factor: z.boolean().nullish() }),
    ),
    response: success(Workspace),
  },
  removeWorkspace: { body: z.object({}), response: success(Removed) },
  leaveWorkspace: { body: z.object({ uuid }), response: success(Removed) },
  members: { response: wholeList(Member) },
  editMember: { body: z.object(described(memberTexts, { uuid, role })), response: success(Member) },
  removeMember: {
    body: z.object({
      uuid,
      keep_keys: z.boolean().nullish().meta({
        description:
          'Keep the keys and tokens that the member created. They act with the role of the member, and for no user.',
      }),
    }),
    response: success(Removed),
  },
  invitations: { response: wholeList(Invitation) },
  inviteMember: {
    body: z.object(described(invitationTexts, { email, role })),
    response: success(NewInvitation),
  },
  removeInvitation: { body: z.object({ uuid }), response: success(Removed) },
  checkInvitation: {
    body: token,
    response: success(
      z.object(
        described(invitationTexts, {
          workspace: z.string(),
          role,
          email: z.string(),
          invited_by: z.string().nullable(),
          expires_at: time,
        }),
      ),
    ),
  },
  acceptInvitation: { body: token, response: success(Workspace) },
  auditLog: { query: AuditQuery, response: list(AuditEntry) },
}
