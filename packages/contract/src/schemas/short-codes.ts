import { z } from 'zod'
import { success } from './responses.ts'
import { described, named } from './described.ts'
import { opaque, shortCodeText } from './fields.ts'

const texts = {
  code: 'The short code: 1 to 64 letters, digits, hyphens or underscores.',
  domain: 'The domain that would serve it. Default: the host of this instance.',
}

const ShortCode = named(
  'ShortCode',
  'Whether a short code can be used.',
  z.object(
    described(
      {
        ...texts,
        state:
          '`available`; `taken`: used by a link, now or earlier, including removed links; `reserved`: cannot be used.',
        uuid: 'The `uuid` of your own link that the short code leads to; null otherwise.',
      },
      {
        code: z.string(),
        domain: z.string(),
        state: z.enum(['available', 'taken', 'reserved']),
        uuid: z.string().nullable(),
      },
    ),
  ),
)

/** Query and response of checking whether a short code is available. */
export const shortCodeSchemas = {
  shortCode: {
    query: z.object(described(texts, { code: shortCodeText, domain: opaque(255).optional() })),
    response: success(ShortCode),
  },
}
