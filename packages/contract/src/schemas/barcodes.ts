import { z } from 'zod'
import { ListQuery, list, Removed, success } from './answers.ts'
import { codeAnswer, dynamic } from './codes.ts'
import { hexColor, httpUrl, numberBetween, text, uuid } from './fields.ts'

/** The kinds of barcode that can be drawn. */
export const Symbology = z.enum(['code128', 'datamatrix', 'pdf417', 'aztec'])

/** Where the caption stands. */
export const CaptionPosition = z.enum(['top', 'bottom'])

const barcodeFields = {
  description: text(255).nullish(),
  size: numberBetween(10, 300).nullish().meta({ description: 'Height of the bars in pixels, default 100' }),
  color: hexColor.nullish(),
  text: text(50).nullish().meta({ description: 'Caption' }),
  text_size: numberBetween(10, 80).nullish().meta({ description: 'Default 20' }),
  text_color: hexColor.nullish(),
  text_position: CaptionPosition.nullish(),
  dynamic,
  symbology: Symbology.nullish().meta({ description: 'Extension: default code128' }),
}

/** Every rule of a new barcode. */
export const BarcodeCreate = z.object({ url: httpUrl, ...barcodeFields })

/** Every rule of an edited barcode; what is left out stays. */
export const BarcodeEdit = z.object({ uuid, url: httpUrl.nullish(), ...barcodeFields })

/** A barcode as it is answered. */
export const Barcode = z.object({
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
  ...codeAnswer,
})

/** Body, query and answer of every operation on barcodes. */
export const barcodeSchemas = {
  barcodes: { query: ListQuery, answer: list(Barcode) },
  generateBarcode: { body: BarcodeCreate, answer: success(Barcode) },
  editBarcode: { body: BarcodeEdit, answer: success(Barcode) },
  removeBarcode: { body: z.object({ uuid }), answer: success(Removed) },
}
