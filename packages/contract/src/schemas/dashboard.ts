import { z } from 'zod'
import { Removed, resourceTexts, Nothing, success, time, wholeList } from './responses.ts'
import { described, named } from './described.ts'
import { Profile } from './accounts.ts'
import { SecondFactorStep } from './factors.ts'
import {
  email,
  isConfirmed,
  newPassword,
  opaque,
  passwordsMatch,
  required,
  singleLine,
  uuid,
} from './fields.ts'

/** A dashboard session. */
export const Session = named(
  'Session',
  'A dashboard session.',
  z.object(
    described(
      {
        ...resourceTexts,
        user_agent: 'The browser that signed in.',
        country: 'The country that it signed in from, as ISO code.',
        last_used_at: 'When it was last used (ISO 8601, UTC).',
        current: 'Whether this is the session of the request.',
      },
      {
        uuid: z.string(),
        user_agent: z.string().nullable(),
        country: z.string().nullable(),
        created_at: time,
        last_used_at: time,
        current: z.boolean(),
      },
    ),
  ),
)

/** Security events of a user, separate from the audit logs of workspaces. */
const securityEventKinds = [
  'sign_in',
  'sign_in_refused',
  'password_changed',
  'password_reset',
  'email_changed',
  'second_factor',
  'identity',
  'key_created',
  'token_created',
  'member_joined',
] as const
export type SecurityEventKind = (typeof securityEventKinds)[number]

const SecurityEvent = named(
  'SecurityEvent',
  'A sign-in, or a change of what gives access to the account of the caller.',
  z.object(
    described(
      {
        ...resourceTexts,
        kind: 'What happened.',
        detail:
          'Of `sign_in` how: `sign_up`, `password`, `passkey`, `oidc` or `link`; with a second factor, `+` and `totp`, `passkey` or `recovery`, for example `password+totp`. Otherwise a name or a sentence.',
        user_agent: 'The browser that signed in.',
        country: 'The country that its address belongs to, as ISO code.',
        count: 'How often: failed sign-ins are counted by the hour.',
      },
      {
        uuid: z.string(),
        kind: z.enum(securityEventKinds),
        detail: z.string().nullable(),
        user_agent: z.string().nullable(),
        country: z.string().nullable(),
        count: z.number().int(),
        created_at: time,
      },
    ),
  ),
)

/** Settings of the instance that the dashboard needs before sign-in. */
export const Instance = named(
  'Instance',
  'Settings of the instance that the dashboard needs before sign-in.',
  z.object(
    described(
      {
        name: 'Name of the instance.',
        base_url: 'Its public address.',
        signup: 'Whether accounts can be created in the dashboard.',
        mail: 'Whether the instance sends mail, for example to reset a password.',
        passkeys: 'Whether the instance can use passkeys.',
        oidc: 'Name of the OpenID provider that users can sign in with; null without one.',
        password_sign_in: 'Whether a password signs in.',
      },
      {
        name: z.string(),
        base_url: z.string(),
        signup: z.enum(['open', 'closed']),
        mail: z.boolean(),
        passkeys: z.boolean(),
        oidc: z.string().nullable(),
        password_sign_in: z.boolean(),
      },
    ),
  ),
)

const accountTexts = {
  email: 'Email address of the account.',
  password: 'At least 8 characters with lower case, upper case, a digit and a symbol.',
  confirm_password: 'The password again.',
  first_name: 'First name.',
  last_name: 'Last name.',
  token: 'The token from the mail.',
  invitation:
    'The token of an invitation. It permits signing up where sign-up is closed. The new user is a member of its workspace, and the invitation is used up.',
  keep_keys: 'Keep API keys and webhooks. Applies only if the address had been confirmed before the reset.',
}

const twicePassword = z
  .object(
    described(accountTexts, {
      token: required(opaque(256)),
      password: newPassword,
      confirm_password: required(opaque(256)),
      keep_keys: z.boolean().nullish(),
    }),
  )
  .refine(isConfirmed, passwordsMatch)

const EmailStatus = named(
  'EmailStatus',
  'The state of the email address of the account.',
  z.object(
    described(
      {
        email: 'Email address of the account.',
        confirmed: 'Whether the address is confirmed. True where the instance sends no mail.',
        pending_email: 'The new address that is not confirmed yet, or null.',
      },
      { email: z.string(), confirmed: z.boolean(), pending_email: z.string().nullable() },
    ),
  ),
)

const token = z.object(described(accountTexts, { token: required(opaque(256)) }))

/** Body, query and response of operations that only the dashboard uses. */
export const dashboardSchemas = {
  instance: { response: success(Instance) },
  signUp: {
    body: z.object(
      described(accountTexts, {
        email,
        password: newPassword,
        first_name: singleLine().nullish(),
        last_name: singleLine().nullish(),
        invitation: opaque(256).nullish(),
      }),
    ),
    response: success(Profile),
  },
  signIn: {
    body: z.object(
      described(
        { email: accountTexts.email, password: 'Password of the account.' },
        { email, password: required(opaque(256)) },
      ),
    ),
    response: success(z.union([Profile, SecondFactorStep])),
  },
  signOut: { body: z.object({}), response: success(Nothing) },
  forgotPassword: { body: z.object(described(accountTexts, { email })), response: success(Nothing) },
  resetPassword: { body: twicePassword, response: success(Nothing) },
  checkReset: {
    body: token,
    response: success(
      z.object(
        described(
          { can_keep_keys: 'Whether `keep_keys` applies: the address had been confirmed before.' },
          { can_keep_keys: z.boolean() },
        ),
      ),
    ),
  },
  confirmEmail: { body: token, response: success(Nothing) },
  resendConfirmation: { body: z.object({}), response: success(Nothing) },
  changeEmail: {
    body: z.object(
      described(
        {
          email: 'The new email address.',
          password: 'The current password; not needed within 15 minutes of `reauthenticate`.',
        },
        { email, password: required(opaque(256)).nullish() },
      ),
    ),
    response: success(EmailStatus),
  },
  cancelEmailChange: { body: token, response: success(Nothing) },
  emailStatus: { response: success(EmailStatus) },
  sessions: { response: wholeList(Session) },
  securityEvents: { response: wholeList(SecurityEvent) },
  removeSession: { body: z.object({ uuid }), response: success(Removed) },
}
