import { z } from 'zod'
import { success, time } from './answers.ts'
import { described, named } from './described.ts'
import { requiredText } from './fields.ts'

const texts = {
  name: 'The host name, such as `go.example.com`.',
  verified: 'Whether its DNS record was found; before that the domain cannot be used.',
  shared: 'Whether it belongs to the instance or to all accounts rather than to this one.',
  txt_name: 'Name of the DNS TXT record that proves the domain; null if no proof is needed.',
  txt_value: 'Value of that TXT record.',
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
      created_at: time.nullable(),
    }),
  ),
)

const domainName = z.object(described(texts, { name: requiredText(253) }))

/** Body and answer of every operation on domains. */
export const domainSchemas = {
  domains: { answer: success(z.array(Domain)) },
  addDomain: { body: domainName, answer: success(Domain) },
  verifyDomain: { body: domainName, answer: success(Domain) },
  removeDomain: { body: domainName, answer: success(z.object(described(texts, { name: z.string() }))) },
}
