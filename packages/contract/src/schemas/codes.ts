import { z } from 'zod'
import { time } from './answers.ts'

/** Whether a code leads through a short link of its own. */
export const dynamic = z
  .boolean()
  .nullish()
  .meta({ description: 'Extension: encode a tracked short link instead of `url`' })

/** What every code is answered with, whatever its kind. */
export const codeAnswer = {
  dynamic: z.boolean(),
  encodes: z.string(),
  short_url: z.string().nullable(),
  image_url: z.string(),
  svg_url: z.string(),
  scans: z.int(),
  warnings: z.array(z.string()),
  created_at: time,
  updated_at: time,
}
