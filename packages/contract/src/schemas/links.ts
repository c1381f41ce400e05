import { z } from 'zod'
import { ListQuery, list, success, Removed, time } from './answers.ts'
import { expiry, httpUrl, integerBetween, shortCode, text, textFile, uuid } from './fields.ts'

const redirectStatus = z.literal([301, 302, 307, 308]).meta({ type: 'integer' })

const linkFields = {
  description: text().nullish(),
  tag: text(255).nullish(),
  expire: expiry.nullish().meta({ description: '`YYYY-MM-DD` (to the end of that day, UTC) or ISO 8601' }),
  customLink: shortCode.nullish(),
  domain: text(255).nullish().meta({ description: 'Extension: the domain that serves this link' }),
  password: text(256).nullish().meta({ description: 'Extension: visitors are asked for it' }),
  max_clicks: integerBetween(1, 1_000_000_000)
    .nullish()
    .meta({ description: 'Extension: 410 after so many clicks' }),
  ios_url: httpUrl.nullish().meta({ description: 'Extension: where iPhones and iPads go instead' }),
  android_url: httpUrl.nullish().meta({ description: 'Extension: where Android devices go instead' }),
  redirect: redirectStatus.nullish().meta({ description: 'Extension: status of the redirect, default 302' }),
}

/** Every rule of a new link. */
export const LinkCreate = z.object({ link: httpUrl, ...linkFields })

/** Every rule of an edited link. */
export const LinkEdit = z.object({ uuid, link: httpUrl, ...linkFields })

/** What a link is part of, if its destination is not its own. */
export const LinkOwner = z.object({ type: z.enum(['page', 'qrcode', 'barcode', 'utm']), uuid: z.string() })

/** A link as it is answered. */
export const Link = z.object({
  uuid: z.string(),
  link: z.string(),
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
})

/** A tag and how many links carry it. */
export const Tag = z.object({ tag: z.string(), links: z.int() })

const tagFilter = { tag: text(255).optional().meta({ description: 'Only links with this tag' }) }

/** How many links can be made at once. */
export const MOST_LINKS_AT_ONCE = 1000

/** Body, query and answer of every operation on links. */
export const linkSchemas = {
  generateLink: { body: LinkCreate, answer: success(Link) },
  links: { query: ListQuery.extend(tagFilter), answer: list(Link) },
  editLinks: { body: LinkEdit, answer: success(Link) },
  removeLinks: { body: z.object({ uuid }), answer: success(Removed) },
  tags: { answer: success(z.array(Tag)) },
  generateLinks: {
    body: z.object({ links: z.array(LinkCreate).min(1).max(MOST_LINKS_AT_ONCE) }),
    answer: success(z.array(Link)),
  },
  exportLinks: { query: ListQuery.pick({ search: true }).extend(tagFilter), answer: z.string() },
  importLinks: {
    body: z.object({
      file: textFile('text/csv').meta({
        description: 'A CSV file in UTF-8 with a header line; its columns are the fields of a new link',
      }),
    }),
    answer: success(z.array(Link)),
  },
}
