import { z } from 'zod'
import { resourceTexts, time } from './responses.ts'
import { described, named } from './described.ts'

/** The texts of the fields that QR codes and barcodes share. */
export const codeTexts = {
  ...resourceTexts,
  url: 'The destination of the code.',
  description: 'A note for yourself; visitors do not see it.',
  color: 'Colour of the code, `#rgb` or `#rrggbb`. Default `#000000`.',
  dynamic:
    'Encode a short link instead of `url`. Scans are then counted, and the destination can be changed after printing. Default false.',
  encodes: 'The exact text inside the code.',
  short_url:
    'The short link of a code that is or was dynamic; it works until the code is removed. Null if there never was one.',
  image_url: 'The picture as PNG.',
  svg_url: 'The picture as SVG.',
  scans: 'Clicks on the short link, without bots.',
  grade:
    'How well the code is read: twelve fixed degradations of its picture, each read by two decoders. Null on codes from before grades, until they are edited.',
  warnings: 'Possible problems with scanning the code, one sentence each.',
}

/** Whether a code uses its own short link. */
export const dynamic = z.boolean().nullish()

const Grade = named(
  'CodeGrade',
  'How well a code is read in poor conditions.',
  z.object(
    described(
      {
        letter: 'Of twelve degradations both decoders read 12: A, 10: B, 8: C, 6: D, fewer: F.',
        reasons: 'The conditions in which a decoder did not read it, such as `blurred` or `tilted`.',
        min_width_mm: 'The narrowest print in millimetres, quiet zone included.',
      },
      {
        letter: z.enum(['A', 'B', 'C', 'D', 'F']),
        reasons: z.array(z.string()),
        min_width_mm: z.number(),
      },
    ),
  ),
)

/** The response fields of every code. */
export const codeResponse = described(codeTexts, {
  dynamic: z.boolean(),
  encodes: z.string(),
  short_url: z.string().nullable(),
  image_url: z.string(),
  svg_url: z.string(),
  scans: z.int(),
  warnings: z.array(z.string()),
  grade: Grade.nullable(),
  created_by: z.string().nullable(),
  created_at: time,
  updated_at: time,
})
