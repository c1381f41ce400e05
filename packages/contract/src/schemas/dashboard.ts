import { z } from 'zod'
import { list, ListQuery, Removed, resourceTexts, Nothing, success, time, wholeList } from './responses.ts'
import { described, named } from './described.ts'
import { Profile } from './accounts.ts'
import { email, isConfirmed, newPassword, passwordsMatch, requiredText, text, uuid } from './fields.ts'

const keyTexts = {
  ...resourceTexts,
  api_key: 'The key (`wm_…`), sent as `X-API-KEY`. It is public.',
  name: 'A name for yourself, such as the program that uses the key.',
  scope: '`write`: everything (the default). `read`: writes return 403.',
  signature_required: 'Whether all unsigned requests return 401, also to key-only operations. Default false.',
  last_used_at: 'When it was last used (ISO 8601, UTC).',
  secret: 'Signs requests (`wms_…`). Shown only once.',
}

const scope = z.enum(['read', 'write'])

/** An API key as it is listed: never with its secret. */
export const ApiKey = named(
  'ApiKey',
  'An API key.',
  z.object(
    described(keyTexts, {
      uuid: z.string(),
      api_key: z.string(),
      name: z.string().nullable(),
      scope,
      signature_required: z.boolean(),
      created_at: time,
      last_used_at: time.nullable(),
    }),
  ),
)

/** A new API key: the only time that its secret is seen. */
export const NewApiKey = named(
  'NewApiKey',
  'A new API key with its secret.',
  ApiKey.extend(described(keyTexts, { secret: z.string() })),
)

/** A dashboard session. */
export const Session = named(
  'Session',
  'A dashboard session.',
  z.object(
    described(
      {
        ...resourceTexts,
        user_agent: 'The browser that signed in.',
        last_used_at: 'When it was last used (ISO 8601, UTC).',
        current: 'Whether this is the session of the request.',
      },
      {
        uuid: z.string(),
        user_agent: z.string().nullable(),
        created_at: time,
        last_used_at: time,
        current: z.boolean(),
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
      },
      { name: z.string(), base_url: z.string(), signup: z.enum(['open', 'closed']), mail: z.boolean() },
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
  keep_keys: 'Keep API keys and webhooks. Applies only if the address had been confirmed before the reset.',
}

const twicePassword = z
  .object(
    described(accountTexts, {
      token: requiredText(256),
      password: newPassword,
      confirm_password: requiredText(256),
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

const token = z.object(described(accountTexts, { token: requiredText(256) }))

/** Body, query and response of what only the dashboard does. */
export const dashboardSchemas = {
  instance: { response: success(Instance) },
  signUp: {
    body: z.object(
      described(accountTexts, {
        email,
        password: newPassword,
        first_name: text().nullish(),
        last_name: text().nullish(),
      }),
    ),
    response: success(Profile),
  },
  signIn: {
    body: z.object(
      described(
        { email: accountTexts.email, password: 'Password of the account.' },
        { email, password: requiredText(256) },
      ),
    ),
    response: success(Profile),
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
        { email: 'The new email address.', password: 'The current password of the account.' },
        { email, password: requiredText(256) },
      ),
    ),
    response: success(EmailStatus),
  },
  cancelEmailChange: { body: token, response: success(Nothing) },
  emailStatus: { response: success(EmailStatus) },
  sessions: { response: wholeList(Session) },
  removeSession: { body: z.object({ uuid }), response: success(Removed) },
  keys: { query: ListQuery.omit({ search: true }), response: list(ApiKey) },
  generateKey: {
    body: z.object(
      described(keyTexts, {
        name: text(100).nullish(),
        scope: scope.nullish(),
        signature_required: z.boolean().nullish(),
      }),
    ),
    response: success(NewApiKey),
  },
  removeKey: { body: z.object({ uuid }), response: success(Removed) },
}
