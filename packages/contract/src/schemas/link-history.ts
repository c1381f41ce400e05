import { z } from 'zod'
import { list, success, time } from './responses.ts'
import { described, named } from './described.ts'
import { opaque, required, uuid } from './fields.ts'
import { LinkRule, LinkVariant } from './link-rules.ts'
import { Link } from './links.ts'

/** Causes of a change of a link's destination. */
export const CHANGE_CAUSES = [
  'created',
  'import',
  'dashboard',
  'key',
  'revert',
  'restore',
  'resource',
] as const

const Cause = named(
  'LinkChangeCause',
  'What changed a link.',
  z.object(
    described(
      {
        type: '`created`, `import`, `dashboard`, `key` (an API key), `revert`, `restore` (from the trash), or `resource` (the page or code that the link belongs to).',
        name: 'The name of the API key; null for other causes.',
      },
      { type: z.enum(CHANGE_CAUSES), name: z.string().nullable() },
    ),
  ),
)

const Version = named(
  'LinkVersion',
  'A version of the destinations of a link.',
  z.object(
    described(
      {
        version: 'Identifies the version; `revert-link` takes it.',
        changed_at: 'When the link was changed to this (ISO 8601, UTC).',
        cause: 'What changed it.',
        current: 'Whether it is the current version.',
        link: 'The destination.',
        ios_url: 'Destination for iPhones and iPads.',
        android_url: 'Destination for Android devices.',
        rules: 'The rules.',
        variants: 'The variants.',
        expire: 'When the link was to expire.',
        domain: 'The domain that served the link.',
      },
      {
        version: z.string(),
        changed_at: time,
        cause: Cause,
        current: z.boolean(),
        link: z.string(),
        ios_url: z.string().nullable(),
        android_url: z.string().nullable(),
        rules: z.array(LinkRule),
        variants: z.array(LinkVariant),
        expire: time.nullable(),
        domain: z.string(),
      },
    ),
  ),
)

/** Query, body and response of a link's history. */
export const historySchemas = {
  linkHistory: {
    query: z.object({ uuid: uuid.meta({ description: 'Identifies the link.' }) }),
    response: list(Version),
  },
  revertLink: {
    body: z.object({
      uuid: uuid.meta({ description: 'Identifies the link.' }),
      version: required(opaque()).meta({
        description:
          'The version to restore, with its destinations, rules, variants, domain and expiry. An expiry in the past is not restored.',
      }),
    }),
    response: success(Link),
  },
}
