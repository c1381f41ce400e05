import { z } from 'zod'
import { success, time } from './answers.ts'
import { described, named } from './described.ts'
import { hexColor, httpUrl, imageFile, requiredText, text } from './fields.ts'

const texts = {
  name: 'The host name, such as `go.example.com`.',
  verified: 'Whether its DNS record was found; before that the domain cannot be used.',
  shared: 'Whether it belongs to the instance or to all accounts rather than to this one.',
  txt_name: 'Name of the DNS TXT record that proves the domain; null if no proof is needed.',
  txt_value: 'Value of that TXT record.',
  root_url:
    'Where visitors of the root of the domain are sent (302). Null: a page with the name of the domain.',
  not_found_url: 'Where visitors of an unknown address are sent (302). Null: a 404 page.',
  expired_url:
    'Where visitors of a link that has expired or is used up are sent (302). Null: a 410 page. Removed and blocked links keep their page.',
  brand_name: 'The name on pages for visitors, at most 80 characters.',
  brand_color: 'Colour of buttons on pages for visitors, `#rgb` or `#rrggbb`.',
  logo: 'A picture on pages for visitors, at most 2048 KB. Responses carry its URL.',
  created_at: 'When it was added (ISO 8601, UTC); null for the host of this instance.',
}

/** A domain that links and pages may use. */
export const Domain = named(
  'Domain',
  'A domain for short links and pages.',
  z.object(
    described(texts, {
      name: z.string(),
      verified: z.boolean(),
      shared: z.boolean(),
      txt_name: z.string().nullable(),
      txt_value: z.string().nullable(),
      root_url: z.string().nullable(),
      not_found_url: z.string().nullable(),
      expired_url: z.string().nullable(),
      brand_name: z.string().nullable(),
      brand_color: z.string().nullable(),
      logo: z.string().nullable(),
      created_at: time.nullable(),
    }),
  ),
)

const domainName = z.object(described(texts, { name: requiredText(253) }))

const landing = httpUrl.nullable().optional()

const DomainEdit = z.object(
  described(texts, {
    name: requiredText(253),
    root_url: landing,
    not_found_url: landing,
    expired_url: landing,
    brand_name: text(80).nullable().optional(),
    brand_color: hexColor.nullable().optional(),
    logo: imageFile().nullable().optional(),
  }),
)

/** Body and answer of every operation on domains. */
export const domainSchemas = {
  domains: { answer: success(z.array(Domain)) },
  addDomain: { body: domainName, answer: success(Domain) },
  verifyDomain: { body: domainName, answer: success(Domain) },
  editDomain: { body: DomainEdit, answer: success(Domain) },
  removeDomain: { body: domainName, answer: success(z.object(described(texts, { name: z.string() }))) },
}
