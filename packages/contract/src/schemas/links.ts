import { z } from 'zod'
import { ListQuery, list, resourceTexts, success, time } from './answers.ts'
import { described, named } from './described.ts'
import { expiry, httpUrl, integerBetween, newShortCode, shortCode, text, textFile, uuid } from './fields.ts'
import { Removal, RemovedResources } from './trash.ts'

const redirectStatus = z.literal([301, 302, 307, 308]).meta({ type: 'integer' })

const texts = {
  ...resourceTexts,
  link: 'The destination: an http or https URL.',
  title: 'A name for the link in lists; visitors do not see it.',
  description: 'A note for yourself; visitors do not see it.',
  tag: 'A tag to group and filter links by.',
  expire: 'When the link expires. `YYYY-MM-DD` means the end of that day, UTC; an ISO 8601 time is exact.',
  customLink:
    'A custom short code: 1 to 64 letters, digits, hyphens or underscores. On edit it renames the link, and the old short code keeps working.',
  domain: 'The domain that serves the link. Default: the host of this instance.',
  password: 'Visitors must enter this password before they are redirected.',
  max_clicks: 'Click limit: after this many clicks the link answers 410.',
  ios_url: 'Destination for iPhones and iPads.',
  android_url: 'Destination for Android devices.',
  redirect: 'Status of the redirect: 301, 302, 307 or 308. Default 302.',
  code: 'The short code, the part of `short_url` after the slash.',
  short_url: 'The short link.',
  has_password: 'Whether visitors are asked for a password.',
  clicks: 'Number of clicks, without bots.',
  last_click_at: 'When the link was last clicked (ISO 8601, UTC); null before the first click.',
  owner: 'The page, code or UTM link that this link is part of; null if it stands alone.',
}

const linkFields = {
  title: text(255).nullish(),
  description: text().nullish(),
  tag: text(255).nullish(),
  expire: expiry.nullish(),
  domain: text(255).nullish(),
  password: text(256).nullish(),
  max_clicks: integerBetween(1, 1_000_000_000).nullish(),
  ios_url: httpUrl.nullish(),
  android_url: httpUrl.nullish(),
  redirect: redirectStatus.nullish(),
}

/** Every rule of a new link. */
export const LinkCreate = named(
  'LinkCreate',
  'A new short link.',
  z.object(described(texts, { link: httpUrl, ...linkFields, customLink: newShortCode.nullish() })),
)

/** Every rule of an edited link. */
export const LinkEdit = named(
  'LinkEdit',
  'Changes to a short link. Fields that are left out stay as they are.',
  z.object(described(texts, { uuid, link: httpUrl, ...linkFields, customLink: shortCode.nullish() })),
)

/** What a link is part of, if its destination is not its own. */
export const LinkOwner = named(
  'LinkOwner',
  'What a short link is part of.',
  z.object(
    described(
      { type: 'The kind of resource.', uuid: 'The `uuid` of that resource.' },
      { type: z.enum(['page', 'qrcode', 'barcode', 'utm']), uuid: z.string() },
    ),
  ),
)

/** A link as it is answered. */
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
      clicks: z.int(),
      last_click_at: time.nullable(),
      owner: LinkOwner.nullable(),
      created_at: time,
      updated_at: time,
    }),
  ),
)

/** A tag and how many links carry it. */
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

const tagFilter = { tag: text(255).optional().meta({ description: 'Only links with this tag.' }) }

/** How many links can be made at once. */
export const MOST_LINKS_AT_ONCE = 1000

/** Body, query and answer of every operation on links. */
export const linkSchemas = {
  generateLink: { body: LinkCreate, answer: success(Link) },
  links: { query: ListQuery.extend(tagFilter), answer: list(Link) },
  editLinks: { body: LinkEdit, answer: success(Link) },
  removeLinks: { body: Removal, answer: success(RemovedResources) },
  tags: { answer: success(z.array(Tag)) },
  generateLinks: {
    body: z.object({
      links: z
        .array(LinkCreate)
        .min(1)
        .max(MOST_LINKS_AT_ONCE)
        .meta({ description: 'The new short links. All are created, or none.' }),
    }),
    answer: success(z.array(Link)),
  },
  exportLinks: { query: ListQuery.pick({ search: true }).extend(tagFilter), answer: z.string() },
  importLinks: {
    body: z.object({
      file: textFile('text/csv').meta({
        description: 'A CSV file in UTF-8 whose first row names the columns: the fields of a new link.',
      }),
    }),
    answer: success(z.array(Link)),
  },
}
