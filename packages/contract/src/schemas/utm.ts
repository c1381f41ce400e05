import { z } from 'zod'
import { ListQuery, list, resourceTexts, success, time } from './responses.ts'
import { described, named } from './described.ts'
import { httpUrl, required, singleLine, uuid } from './fields.ts'
import { Removal, RemovedResources } from './trash.ts'

const texts = {
  ...resourceTexts,
  url: 'The destination, without UTM parameters.',
  source: 'Origin of the visitors (`utm_source`), such as `newsletter`.',
  medium: 'The channel (`utm_medium`), such as `email`.',
  campaign: 'Name of the campaign (`utm_campaign`).',
  content: 'Distinguishes links of one campaign (`utm_content`), such as `button`.',
  term: 'Paid search term (`utm_term`).',
  shorten: 'Create a short link of the tagged URL as well; its clicks are counted. Default false.',
  utm_url: 'The destination with its UTM parameters.',
  short_url: 'The short link; null unless `shorten` is true.',
  clicks: 'Clicks on the short link, without bots.',
  warnings: 'Possible problems in reports, one sentence each.',
}

const utmFields = {
  url: httpUrl,
  source: required(singleLine()),
  medium: required(singleLine()),
  campaign: required(singleLine()),
  content: required(singleLine()),
  term: singleLine().nullish(),
  shorten: z.boolean().nullish(),
}

/** Every rule of a new UTM link. */
export const UtmCreate = named('UtmLinkCreate', 'A new UTM link.', z.object(described(texts, utmFields)))

/** Every rule of an edited UTM link: all fields are required again. */
export const UtmEdit = named(
  'UtmLinkEdit',
  'A UTM link with its changes.',
  z.object(described(texts, { uuid, ...utmFields })),
)

/** A UTM link in responses. */
export const UtmLink = named(
  'UtmLink',
  'A UTM link.',
  z.object(
    described(texts, {
      uuid: z.string(),
      url: z.string(),
      source: z.string(),
      medium: z.string(),
      campaign: z.string(),
      content: z.string(),
      term: z.string().nullable(),
      shorten: z.boolean(),
      utm_url: z.string(),
      short_url: z.string().nullable(),
      clicks: z.int(),
      warnings: z.array(z.string()),
      created_by: z.string().nullable(),
      created_at: time,
      updated_at: time,
    }),
  ),
)

/** Body, query and response of every operation on UTM links. */
export const utmSchemas = {
  utmLinks: { query: ListQuery, response: list(UtmLink) },
  generateUtm: { body: UtmCreate, response: success(UtmLink) },
  editUtm: { body: UtmEdit, response: success(UtmLink) },
  removeUtm: { body: Removal, response: success(RemovedResources) },
}
