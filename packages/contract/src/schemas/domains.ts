import { z } from 'zod'
import { success, time } from './answers.ts'
import { requiredText } from './fields.ts'

/** A domain that links and pages may use. */
export const Domain = z.object({
  name: z.string(),
  verified: z.boolean(),
  /** Whether it is the instance's own or everybody's, rather than the caller's. */
  shared: z.boolean(),
  txt_name: z.string().nullable(),
  txt_value: z.string().nullable(),
  created_at: time.nullable(),
})

const domainName = z.object({ name: requiredText(253) })

/** Body and answer of every operation on domains. */
export const domainSchemas = {
  domains: { answer: success(z.array(Domain)) },
  addDomain: { body: domainName, answer: success(Domain) },
  verifyDomain: { body: domainName, answer: success(Domain) },
  removeDomain: { body: domainName, answer: success(z.object({ name: z.string() })) },
}
