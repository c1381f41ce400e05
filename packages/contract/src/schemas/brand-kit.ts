import { z } from 'zod'
import { success } from './responses.ts'
import { described, named } from './described.ts'
import { hexColor, imageFile } from './fields.ts'

const texts = {
  color: 'Main colour, `#rgb` or `#rrggbb`: QR codes and the buttons of pages.',
  accent: 'Second colour, `#rgb` or `#rrggbb`: the eyes of QR codes and the icons of pages.',
  background: 'Background colour, `#rgb` or `#rrggbb`.',
  logo: 'The logo: an image of at most 2048 KB; in responses its URL.',
}

const color = hexColor.nullish()
const BrandKitEdit = named(
  'BrandKitEdit',
  'Changes to the brand kit. Omitted fields do not change; null removes them.',
  z.object(described(texts, { color, accent: color, background: color, logo: imageFile().nullish() })),
)

const BrandKit = named(
  'BrandKit',
  'Colours and logo of an account. Values that are not set are null.',
  z.object(
    described(texts, {
      color: z.string().nullable(),
      accent: z.string().nullable(),
      background: z.string().nullable(),
      logo: z.string().nullable(),
    }),
  ),
)

/** Body and response of the operations on the brand kit. */
export const brandKitSchemas = {
  brandKit: { response: success(BrandKit) },
  editBrandKit: { body: BrandKitEdit, response: success(BrandKit) },
}
