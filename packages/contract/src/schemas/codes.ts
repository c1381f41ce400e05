import { z } from 'zod'
import { resourceTexts, time } from './responses.ts'
import { described } from './described.ts'

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
  warnings: 'Possible problems with scanning the code, one sentence each.',
}

/** Whether a code leads through a short link of its own. */
export const dynamic = z.boolean().nullish()

/** What responses show of every code, whatever its kind. */
export const codeResponse = described(codeTexts, {
  dynamic: z.boolean(),
  encodes: z.string(),
  short_url: z.string().nullable(),
  image_url: z.string(),
  svg_url: z.string(),
  scans: z.int(),
  warnings: z.array(z.string()),
  created_at: time,
  updated_at: time,
})
