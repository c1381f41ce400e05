import { z } from 'zod'
import { roles } from '../roles.ts'
import { described, named } from './described.ts'
import { email, requiredText, uuid } from './fields.ts'
import { Removed, resourceTexts, success, time, wholeList } from './responses.ts'

const role = z.enum(roles)

const workspaceTexts = {
  ...resourceTexts,
  name: 'Name of the workspace, at most 60 characters.',
  role: 'What you may do in it.',
  require_second_factor: 'Whether members must have a second factor.',
  members: 'Number of members.',
}

/** Names are shown to people who were invited: a URL in one would be an advertisement in our mail. */
const name = requiredText(60).refine(
  (value) => !/:\/\/|www\.|\w\.[a-z]{2,}(?:\/|$|\s)/i.test(value),
  'Must not contain a URL',
)

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
  created_by: 'The `uuid` of the user who invited; null once that user is removed.',
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

const token = z.object(described(invitationTexts, { token: requiredText(256) }))

/** Workspaces, members and invitations. */
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
        description: 'Keep the keys and tokens that the member created. They are yours from then on.',
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
}
