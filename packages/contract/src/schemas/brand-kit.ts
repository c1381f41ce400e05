import { z } from 'zod'
import { success } from './responses.ts'
import { described, named } from './described.ts'
import { hexColor, imageFile, opaque, required, singleLine } from './fields.ts'
import { PageFont } from './page-parts.ts'
import { qrStyleFields, savedQrColors } from './qrcodes.ts'

const MOST_STYLES = 20

const texts = {
  color: 'Main colour, `#rgb` or `#rrggbb`: QR codes and the buttons of pages.',
  accent: 'Second colour, `#rgb` or `#rrggbb`: the eyes of QR codes and the icons of pages.',
  background: 'Background colour, `#rgb` or `#rrggbb`.',
  font: 'Font of pages. Frames of QR codes have the outlined font that is nearest: `serif`, `mono` or `sans`.',
  logo: 'The logo: an image of at most 2048 KB; in responses its URL.',
  styles: `Saved styles of QR codes, at most ${MOST_STYLES}. A list replaces all of them.`,
  default_style: 'Name of the saved style that the dashboard uses for new QR codes.',
}

const name = described({ name: 'At most 40 characters; unique.' }, { name: required(singleLine(40)) })
const StyleInput = named(
  'BrandKitStyleInput',
  'A style of QR codes to save. Values that are not set have their defaults.',
  z.object({ ...name, ...qrStyleFields }),
)
const Style = named(
  'BrandKitStyle',
  'A saved style of QR codes. Values that are not set have their defaults.',
  z.object({ ...name, ...qrStyleFields, ...savedQrColors }),
)

const color = hexColor.nullish()
const BrandKitEdit = named(
  'BrandKitEdit',
  'Changes to the brand kit. Omitted fields do not change; null removes them.',
  z.object(
    described(texts, {
      color,
      accent: color,
      background: color,
      font: PageFont.nullish(),
      logo: imageFile().nullish(),
      styles: z
        .array(StyleInput)
        .max(MOST_STYLES, `Must be at most ${MOST_STYLES} styles`)
        .refine(
          (styles) => new Set(styles.map(({ name }) => name)).size === styles.length,
          'Two styles have the same name',
        )
        .nullish(),
      default_style: required(opaque(40)).nullish(),
    }),
  ),
)

const BrandKit = named(
  'BrandKit',
  'Colours, font, logo and QR code styles of an account. Values that are not set are null.',
  z.object(
    described(texts, {
      color: z.string().nullable(),
      accent: z.string().nullable(),
      background: z.string().nullable(),
      font: PageFont.nullable(),
      logo: z.string().nullable(),
      styles: z.array(Style),
      default_style: z.string().nullable(),
    }),
  ),
)

/** Body and response of the operations on the brand kit. */
export const brandKitSchemas = {
  brandKit: { response: success(BrandKit) },
  editBrandKit: { body: BrandKitEdit, response: success(BrandKit) },
}
