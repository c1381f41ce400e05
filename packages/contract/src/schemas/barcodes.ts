import { z } from 'zod'
import { ListQuery, list, Removed, success } from './answers.ts'
import { codeAnswer, codeTexts, dynamic } from './codes.ts'
import { described, named } from './described.ts'
import { hexColor, httpUrl, numberBetween, text, uuid } from './fields.ts'

/** The kinds of barcode that can be drawn. */
export const Symbology = z.enum(['code128', 'datamatrix', 'pdf417', 'aztec'])

/** Where the caption stands. */
export const CaptionPosition = z.enum(['top', 'bottom'])

const texts = {
  ...codeTexts,
  size: 'Height of the bars in pixels, 10 to 300. Default 100.',
  text: 'Caption. Without one, none is drawn.',
  text_size: 'Size of the caption in pixels, 10 to 80. Default 20.',
  text_color: 'Colour of the caption, `#rgb` or `#rrggbb`. Default `#000000`.',
  text_position: 'Where the caption stands. Default `bottom`.',
  symbology: 'The kind of barcode. Default `code128`.',
}

const barcodeFields = {
  description: text(255).nullish(),
  size: numberBetween(10, 300).nullish(),
  color: hexColor.nullish(),
  text: text(50).nullish(),
  text_size: numberBetween(10, 80).nullish(),
  text_color: hexColor.nullish(),
  text_position: CaptionPosition.nullish(),
  dynamic,
  symbology: Symbology.nullish(),
}

/** Every rule of a new barcode. */
export const BarcodeCreate = named(
  'BarcodeCreate',
  'A new barcode.',
  z.object(described(texts, { url: httpUrl, ...barcodeFields })),
)

/** Every rule of an edited barcode; what is left out stays. */
export const BarcodeEdit = named(
  'BarcodeEdit',
  'Changes to a barcode. Fields that are left out stay as they are.',
  z.object(described(texts, { uuid, url: httpUrl.nullish(), ...barcodeFields })),
)

/** A barcode as it is answered. */
export const Barcode = named(
  'Barcode',
  'A barcode.',
  z.object({
    ...described(texts, {
      uuid: z.string(),
      url: z.string(),
      description: z.string().nullable(),
      size: z.number(),
      color: z.string(),
      text: z.string().nullable(),
      text_size: z.number(),
      text_color: z.string(),
      text_position: CaptionPosition,
      symbology: Symbology,
    }),
    ...codeAnswer,
  }),
)

/** Body, query and answer of every operation on barcodes. */
export const barcodeSchemas = {
  barcodes: { query: ListQuery, answer: list(Barcode) },
  generateBarcode: { body: BarcodeCreate, answer: success(Barcode) },
  editBarcode: { body: BarcodeEdit, answer: success(Barcode) },
  removeBarcode: { body: z.object({ uuid }), answer: success(Removed) },
}
