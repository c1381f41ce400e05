import { z } from 'zod'
import { type Scope, scopes as allScopes } from '../roles.ts'
import { described, named } from './described.ts'
import { expiry, opaque, readInstant, singleLine, uuid } from './fields.ts'
import { list, ListQuery, Removed, resourceTexts, success, time } from './responses.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LONGEST_DAYS = 366
const MOST_ADDRESSES = 20

const accessTexts = {
  ...resourceTexts,
  scope: '`write`: everything (the default). `read`: writes return 403. Not together with `scopes`.',
  scopes:
    'What it may do, such as `links:write`, which includes `links:read`. Left out: everything that its creator may do.',
  signature_required:
    'Whether requests without a signature return 401, those of key-only operations too. Default false.',
  expires_at: 'When it stops working (ISO 8601, UTC); null: never.',
  allowed_addresses: 'IP addresses and CIDR ranges that may use it, at most 20; null: every address.',
  created_by:
    'The `uuid` of the user who created it; it never may do more than this user. Null if it was kept when that user was removed from the workspace: it then has the role that the user had.',
  last_used_at: 'When it was last used (ISO 8601, UTC).',
}

const keyTexts = {
  ...accessTexts,
  api_key: 'The key (`wm_…`), sent as `X-API-KEY`. It is public.',
  name: 'A name for yourself, such as the program that uses the key.',
  secret: 'Signs requests (`wms_…`). Shown this once.',
}

const scope = z.enum(['read', 'write'])
const scopeNames = z.enum(allScopes as [Scope, ...Scope[]], 'Must be one of the scopes, such as links:read')

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$|\/)|(?=$|\/))){4}(?:\/(?:3[0-2]|[12]?\d))?$/
const IPV6 = /^[0-9a-f:.]{2,45}(?:\/(?:12[0-8]|1[01]\d|[1-9]?\d))?$/i

/** An address or range that the URL parser accepts; the server validates it further with its own parser. */
const isAddress = (value: string): boolean => {
  if (IPV4.test(value)) return true
  const [address = ''] = value.split('/', 1)
  return IPV6.test(value) && address.includes(':') && URL.canParse(`http://[${address}]/`)
}

const grants = {
  scopes: z
    .array(scopeNames)
    .min(1, 'Must name at least one scope')
    .max(100)
    .transform((names) => [...new Set(names)])
    .nullish(),
  allowed_addresses: z
    .array(opaque(64).refine(isAddress, 'Must be an IP address or a range such as 203.0.113.0/24'))
    .min(1, 'Must name at least one address')
    .max(MOST_ADDRESSES, `Must name at most ${MOST_ADDRESSES} addresses`)
    .nullish(),
}

const granted = {
  scopes: z.array(scopeNames).nullable(),
  expires_at: time.nullable(),
  allowed_addresses: z.array(z.string()).nullable(),
  created_by: z.string().nullable(),
  created_at: time,
  last_used_at: time.nullable(),
}

/** An API key in lists: never with its secret. */
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
      ...granted,
    }),
  ),
)

/** A new API key: the only response with its secret. */
export const NewApiKey = named(
  'NewApiKey',
  'A new API key with its secret.',
  ApiKey.extend(described(keyTexts, { secret: z.string() })),
)

const tokenTexts = {
  ...accessTexts,
  name: 'A name for yourself, such as the program that uses the token.',
  token: 'The token (`wmt_…`), sent as `Authorization: Bearer wmt_…`. Shown this once.',
  expires_at:
    'When it stops working (`YYYY-MM-DD` or ISO 8601), at most 366 days from now. Default: 90 days. `never`: no end.',
}

/** An access token in lists: never with the token itself. */
export const AccessToken = named(
  'AccessToken',
  'An access token.',
  z.object(described(tokenTexts, { uuid: z.string(), name: z.string().nullable(), ...granted })),
)

/** A new access token: the only response with the token. */
export const NewAccessToken = named(
  'NewAccessToken',
  'A new access token.',
  AccessToken.extend(described(tokenTexts, { token: z.string() })),
)

const TOO_LATE = `Must be within ${LONGEST_DAYS} days`

/** Milliseconds, or `never`. */
const tokenExpiry = opaque(64)
  .transform((value, context) => {
    if (value === 'never') return value
    const at = readInstant(value)
    // A day is within the limit if it begins there.
    const from = readInstant(value, false) ?? 0
    const fault =
      at === undefined
        ? 'Must be YYYY-MM-DD, an ISO 8601 time or never'
        : at <= Date.now()
          ? 'Must not be in the past'
          : from > Date.now() + LONGEST_DAYS * DAY_MS
            ? TOO_LATE
            : undefined
    if (fault === undefined && at !== undefined) return at
    context.issues.push({ code: 'custom', message: fault ?? '', input: value })
    return z.NEVER
  })
  .nullish()

/** Keys and access tokens. */
export const accessSchemas = {
  keys: { query: ListQuery.omit({ search: true }), response: list(ApiKey) },
  generateKey: {
    body: z
      .object(
        described(keyTexts, {
          name: singleLine(100).nullish(),
          scope: scope.nullish(),
          signature_required: z.boolean().nullish(),
          expires_at: expiry.nullish(),
          ...grants,
        }),
      )
      .refine((key) => key.scope == null || key.scopes == null, {
        path: ['scopes'],
        message: 'Send scope or scopes, not both',
      }),
    response: success(NewApiKey),
  },
  removeKey: { body: z.object({ uuid }), response: success(Removed) },
  tokens: { query: ListQuery.omit({ search: true }), response: list(AccessToken) },
  generateToken: {
    body: z.object(
      described(tokenTexts, { name: singleLine(100).nullish(), expires_at: tokenExpiry, ...grants }),
    ),
    response: success(NewAccessToken),
  },
  removeToken: { body: z.object({ uuid }), response: success(Removed) },
}
