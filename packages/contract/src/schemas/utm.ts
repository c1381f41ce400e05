import { z } from 'zod'
import { ListQuery, list, Removed, success, time } from './answers.ts'
import { httpUrl, requiredText, text, uuid } from './fields.ts'

const utmFields = {
  url: httpUrl,
  source: requiredText(),
  medium: requiredText(),
  campaign: requiredText(),
  content: requiredText(),
  term: text().nullish().meta({ description: 'Extension' }),
  shorten: z.boolean().nullish().meta({ description: 'Extension: also make a tracked short link' }),
}

/** Every rule of a new UTM link. */
export const UtmCreate = z.object(utmFields)

/** Every rule of an edited UTM link: all fields again. */
export const UtmEdit = z.object({ uuid, ...utmFields })

/** A UTM link as it is answered. */
export const UtmLink = z.object({
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
  created_at: time,
  updated_at: time,
})

/** Body, query and answer of every operation on UTM links. */
export const utmSchemas = {
  utmLinks: { query: ListQuery, answer: list(UtmLink) },
  generateUtm: { body: UtmCreate, answer: success(UtmLink) },
  editUtm: { body: UtmEdit, answer: success(UtmLink) },
  removeUtm: { body: z.object({ uuid }), answer: success(Removed) },
}
