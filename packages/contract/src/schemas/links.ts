import { z } from 'zod'
import { ListQuery, list, resourceTexts, success, time, wholeList } from './responses.ts'
import { described, named } from './described.ts'
import {
  expiry,
  httpUrl,
  instant,
  integerBetween,
  multiLine,
  newShortCode,
  opaque,
  type Refinement,
  shortCode,
  singleLine,
  uuid,
} from './fields.ts'
import { importedPreview, LinkPreview, previewInput } from './link-preview.ts'
import { LinkRule, LinkVariant, rules, variants } from './link-rules.ts'
import { firstTag, MOST_TAGS, tags, tagsAgree } from './link-tags.ts'
import { Removal, RemovedResources } from './trash.ts'

const redirectStatus = z.literal([301, 302, 307, 308]).meta({ type: 'integer' })

const texts = {
  ...resourceTexts,
  link: 'The destination: an http or https URL.',
  title: 'A name for the link in lists; visitors do not see it.',
  description: 'A note for yourself; visitors do not see it.',
  tag: 'The first of `tags`. Another one replaces the first; null removes all of them.',
  tags: 'Up to 20 tags to group and filter links by. `tag` is the first of them.',
  archived: 'Hidden from the lists of the dashboard. The link still redirects.',
  starts_at:
    'When the link starts to redirect; before that it returns 404. `YYYY-MM-DD` means the start of that day, UTC; an ISO 8601 time is exact.',
  forward_query:
    'Whether the query parameters of the short link are added to the destination. Parameters of the destination take precedence.',
  forward_path:
    'Whether a path after the short link is added to the destination: `/{code}/a/b` leads to the path of the destination followed by `/a/b`. Without it such a path returns 404.',
  reuse:
    'Returns, with status 200, the oldest active link of the account to the same destination on the same domain that has no other settings and does not belong to another resource; creates one if there is none. Only `link` and `domain` can be sent with it.',
  rules:
    'Up to 20 rules, in order. The first one that matches decides the destination; `ios_url` and `android_url` act as two more at the end.',
  variants:
    'Two to five destinations that share the visitors by weight and replace `link`. A visitor always sees the same one.',
  preview:
    'What apps such as Slack, WhatsApp or LinkedIn show when the short link is shared. Their preview fetchers get a page with these texts and the picture; everyone else is redirected. Null: no card.',
  imported_clicks: 'Number of clicks that another service counted before the link was imported.',
  expire: 'When the link expires. `YYYY-MM-DD` means the end of that day, UTC; an ISO 8601 time is exact.',
  customLink:
    'A custom short code: 1 to 64 letters, digits, hyphens or underscores. On edit it renames the link, and the old short code keeps working.',
  domain: 'The domain that serves the link. Default: the host of this instance.',
  password: 'Visitors must enter this password before they are redirected.',
  max_clicks: 'Click limit: after this many clicks the link returns 410.',
  ios_url: 'Destination for iPhones and iPads.',
  android_url: 'Destination for Android devices.',
  redirect: 'Status of the redirect: 301, 302, 307 or 308. Default 302.',
  code: 'The short code, the part of `short_url` after the slash.',
  short_url: 'The short link.',
  has_password: 'Whether visitors are asked for a password.',
  clicks: 'Number of clicks, without bots.',
  last_click_at: 'When the link was last clicked (ISO 8601, UTC); null before the first click.',
  blocked: 'Why the operator has blocked the link, its owner or its destination; null if it is not blocked.',
  owner: 'The page, code or UTM link that this link belongs to; null if there is none.',
}

/** An edit can have a past date, and a file cannot contain a picture, so the operations differ in these two. */
const linkFields = <Expire extends z.ZodType, Preview extends z.ZodType>(
  expire: Expire,
  preview: Preview,
) => ({
  title: singleLine(255).nullish(),
  description: multiLine().nullish(),
  tag: firstTag,
  tags: tags.nullish(),
  archived: z.boolean().nullish(),
  starts_at: instant(false).nullish(),
  expire,
  domain: opaque(255).nullish(),
  password: opaque(256).nullish(),
  max_clicks: integerBetween(1, 1_000_000_000).nullish(),
  ios_url: httpUrl.nullish(),
  android_url: httpUrl.nullish(),
  redirect: redirectStatus.nullish(),
  forward_query: z.boolean().nullish(),
  forward_path: z.boolean().nullish(),
  rules: rules.nullish(),
  variants: variants.nullish(),
  preview,
})

interface Dates {
  readonly starts_at?: number | null | undefined
  readonly expire?: number | null | undefined
}

/** The rule about a link's dates; checked even if other fields are invalid. */
const datesInOrder: Refinement<Dates> = [
  ({ starts_at, expire }) => Number(starts_at) < Number(expire),
  {
    path: ['starts_at'],
    error: 'Must be before expire',
    when: ({ value }) => {
      const { starts_at, expire } = (value ?? {}) as Record<string, unknown>
      return typeof starts_at === 'number' && typeof expire === 'number'
    },
  },
]

/** Fields that can be combined with `reuse`. */
const WITH_REUSE: readonly string[] = ['reuse', 'link', 'domain']

/** Every rule of a new link. */
export const LinkCreate = named(
  'LinkCreate',
  'A new short link.',
  z
    .object(
      described(texts, {
        link: httpUrl,
        ...linkFields(expiry.nullish(), previewInput.nullish()),
        customLink: newShortCode.nullish(),
        reuse: z.boolean().nullish(),
      }),
    )
    .refine(...tagsAgree('create'))
    .refine(...datesInOrder)
    .superRefine(
      (value, context) => {
        const message = 'Leave this out: reuse takes only link and domain'
        for (const [name, given] of Object.entries(value))
          if (given !== null && given !== undefined && !WITH_REUSE.includes(name))
            context.addIssue({ code: 'custom', path: [name], message })
      },
      // Checked even if other fields are invalid.
      { when: ({ value }) => (value as { reuse?: unknown } | null)?.reuse === true },
    ),
)

/** Every rule of an imported link: it may have expired already, so that exports can be imported again. */
export const LinkImport = z
  .object(
    described(texts, {
      link: httpUrl,
      ...linkFields(instant().nullish(), importedPreview.nullish()),
      customLink: newShortCode.nullish(),
    }),
  )
  .refine(...tagsAgree('create'))
  .refine(...datesInOrder)

/** Every rule of an edited link except those that depend on the link: a past `expire` or a reserved word may stay. */
export const LinkEdit = named(
  'LinkEdit',
  'Changes to a short link. Omitted fields do not change.',
  z
    .object(
      described(texts, {
        uuid,
        link: httpUrl,
        ...linkFields(instant().nullish(), previewInput.nullish()),
        customLink: shortCode.nullish(),
      }),
    )
    .refine(...tagsAgree('edit'))
    .refine(...datesInOrder),
)

const LinkBlock = named(
  'LinkBlock',
  'Why and when the operator has blocked a link. Visitors get a 410 page.',
  z.object(
    described(
      {
        reason: 'The reason that the operator gave, or null.',
        blocked_at: 'When (ISO 8601, UTC).',
      },
      { reason: z.string().nullable(), blocked_at: time },
    ),
  ),
)

/** The resource that a link belongs to, if it determines the destination. */
export const LinkOwner = named(
  'LinkOwner',
  'The resource that a short link belongs to.',
  z.object(
    described(
      { type: 'The kind of resource.', uuid: 'The `uuid` of that resource.' },
      { type: z.enum(['page', 'qrcode', 'barcode', 'utm']), uuid: z.string() },
    ),
  ),
)

/** A link in responses. */
export const Link = named(
  'Link',
  'A short link.',
  z.object(
    described(texts, {
      uuid: z.string(),
      link: z.string(),
      title: z.string().nullable(),
      description: z.string().nullable(),
      tag: z.string().nullable(),
      tags: z.array(z.string()),
      archived: z.boolean(),
      starts_at: time.nullable(),
      expire: time.nullable(),
      customLink: z.string().nullable(),
      code: z.string(),
      domain: z.string(),
      short_url: z.string(),
      redirect: z.int(),
      has_password: z.boolean(),
      max_clicks: z.int().nullable(),
      ios_url: z.string().nullable(),
      android_url: z.string().nullable(),
      forward_query: z.boolean(),
      forward_path: z.boolean(),
      rules: z.array(LinkRule),
      variants: z.array(LinkVariant),
      preview: LinkPreview.nullable(),
      clicks: z.int(),
      imported_clicks: z.int(),
      last_click_at: time.nullable(),
      blocked: LinkBlock.nullable(),
      owner: LinkOwner.nullable(),
      created_by: z.string().nullable(),
      created_at: time,
      updated_at: time,
    }),
  ),
)

/** A tag and its number of links. */
export const Tag = named(
  'Tag',
  'A tag and how many short links have it.',
  z.object(
    described(
      { tag: 'The tag.', links: 'Number of short links with this tag.' },
      { tag: z.string(), links: z.int() },
    ),
  ),
)

/** Filters of lists and exports of links, besides a search. */
export const linkFilter = described(
  {
    tag: 'Only links with this tag. Repeated, only links with all of the tags.',
    domain: 'Only links on this domain.',
    state:
      'Default `all`. `active`: not archived, expired or used up; scheduled ones are included. `expired`: expired or used up.',
    owner: 'Default `any`. `none`: only links that do not belong to a page, code or UTM link.',
  },
  {
    tag: z.union([opaque(255), z.array(opaque(255)).max(MOST_TAGS)]).optional(),
    domain: opaque(255).optional(),
    state: z.enum(['all', 'active', 'expired', 'archived']).optional(),
    owner: z.enum(['any', 'none']).optional(),
  },
)

const listOrder = described(
  {
    code: 'Only the link that this short code leads to, on `domain` (default: the host of this instance). Earlier short codes of renamed links are found, too.',
    sort: 'What to sort by. Default `created_at`.',
    order: 'Default `desc`: newest, most clicked or last clicked first.',
  },
  {
    code: opaque(64).optional(),
    sort: z.enum(['created_at', 'clicks', 'last_click_at']).optional(),
    order: z.enum(['asc', 'desc']).optional(),
  },
)

/** Number of links that can be created at once. */
export const MOST_LINKS_AT_ONCE = 1000

/** Number of links that an export can list. */
const MOST_EXPORTED = 100

/** Body, query and response of every operation on links. */
export const linkSchemas = {
  generateLink: { body: LinkCreate, response: success(Link) },
  links: { query: ListQuery.extend({ ...linkFilter, ...listOrder }), response: list(Link) },
  editLinks: { body: LinkEdit, response: success(Link) },
  removeLinks: { body: Removal, response: success(RemovedResources) },
  tags: { response: wholeList(Tag) },
  generateLinks: {
    body: z.object({
      links: z
        .array(LinkCreate)
        .min(1)
        .max(MOST_LINKS_AT_ONCE)
        .meta({ description: 'The new short links. All are created, or none.' }),
    }),
    response: success(z.array(Link)),
  },
  exportLinks: {
    query: ListQuery.pick({ search: true }).extend({
      ...linkFilter,
      uuid: opaque(MOST_EXPORTED * 37)
        .optional()
        .meta({
          description: 'Only these links: up to 100, separated by commas.',
        }),
    }),
    response: z.string(),
  },
}
