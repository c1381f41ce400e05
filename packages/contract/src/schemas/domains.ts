import { z } from 'zod'
import { success, time, wholeList } from './responses.ts'
import { described, named } from './described.ts'
import { hexColor, httpUrl, imageFile, required, singleLine } from './fields.ts'

const texts = {
  name: 'The host name, such as `go.example.com`.',
  verified: 'Whether the DNS record was found. An unverified domain cannot be used.',
  shared: 'Whether it belongs to the instance or to all accounts rather than to this one.',
  txt_name:
    'Name of the DNS TXT record that proves the domain; null if no proof is needed. Records and settings are shown only to callers with the role admin who sign, use a token or are signed in.',
  txt_value: 'Value of that TXT record.',
  root_url: 'Destination of the root path (302). Null: a page with the name of the domain.',
  not_found_url: 'Where visitors of an unknown address are sent (302). Null: a 404 page.',
  expired_url:
    'Destination of links that have expired or reached their click limit (302). Null: a 410 page. Removed and blocked links always show a 410 page.',
  brand_name: 'The name on pages for visitors, at most 80 characters.',
  brand_color: 'Colour of buttons on pages for visitors, `#rgb` or `#rrggbb`.',
  logo: 'A picture on pages for visitors, at most 2048 KB. Responses contain its URL.',
  ignore_case:
    'Whether the case of short codes is ignored: they are stored and looked up in lower case. Can be set only while the domain has never had a short code.',
  records:
    'DNS records to create: TXT proves that you control the domain, one of the others points to this instance.',
  created_at: 'When it was added (ISO 8601, UTC); null for the host of this instance.',
  updated_at: 'When it was last changed (ISO 8601, UTC); null for the host of this instance.',
}

const RecordType = z.enum(['TXT', 'CNAME', 'A', 'AAAA'])

const recordTexts = {
  type: 'Type of the DNS record.',
  name: 'Name of the record.',
  value: 'Value of the record.',
  expected: 'Expected values; one of them must be found.',
  found: 'Values that were found.',
  ok: 'Whether the record is correct.',
}

const DnsRecord = named(
  'DnsRecord',
  'A DNS record to create.',
  z.object(described(recordTexts, { type: RecordType, name: z.string(), value: z.string() })),
)

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
      records: z.array(DnsRecord),
      root_url: z.string().nullable(),
      not_found_url: z.string().nullable(),
      expired_url: z.string().nullable(),
      brand_name: z.string().nullable(),
      brand_color: z.string().nullable(),
      logo: z.string().nullable(),
      ignore_case: z.boolean(),
      created_at: time.nullable(),
      updated_at: time.nullable(),
    }),
  ),
)

const domainName = z.object(described(texts, { name: required(singleLine(253)) }))

const newDomain = z.object(
  described(texts, { name: required(singleLine(253)), ignore_case: z.boolean().nullish() }),
)

const landing = httpUrl.nullable().optional()

const DomainEdit = z.object(
  described(texts, {
    name: required(singleLine(253)),
    root_url: landing,
    not_found_url: landing,
    expired_url: landing,
    brand_name: singleLine(80).nullable().optional(),
    brand_color: hexColor.nullable().optional(),
    logo: imageFile().nullable().optional(),
    ignore_case: z.boolean().nullish(),
  }),
)

const DomainCheck = named(
  'DomainCheck',
  'The result of checking a domain.',
  z.object(
    described(
      {
        name: texts.name,
        verified: texts.verified,
        records: 'The DNS records that were checked: TXT, then the one that points to this instance.',
        https: 'Whether the domain responds over HTTPS.',
      },
      {
        name: z.string(),
        verified: z.boolean(),
        records: z.array(
          z.object(
            described(recordTexts, {
              type: RecordType,
              name: z.string(),
              expected: z.array(z.string()),
              found: z.array(z.string()),
              ok: z.boolean(),
            }),
          ),
        ),
        https: z.object(
          described(
            {
              ok: 'Whether this service responds at `https://` and the name.',
              error: 'The problem; null if there is none.',
            },
            { ok: z.boolean(), error: z.string().nullable() },
          ),
        ),
      },
    ),
  ),
)

/** Body and response of every operation on domains. */
export const domainSchemas = {
  domains: { response: wholeList(Domain) },
  addDomain: { body: newDomain, response: success(Domain) },
  verifyDomain: { body: domainName, response: success(Domain) },
  checkDomain: { body: domainName, response: success(DomainCheck) },
  editDomain: { body: DomainEdit, response: success(Domain) },
  removeDomain: { body: domainName, response: success(z.object(described(texts, { name: z.string() }))) },
}
