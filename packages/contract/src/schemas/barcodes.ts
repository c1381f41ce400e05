import { SYMBOLOGIES, symbologies } from '@waymark/codes/symbology'
import { z } from 'zod'
import { ListQuery, list, success } from './responses.ts'
import { codeResponse, codeTexts, dynamic } from './codes.ts'
import { described, named } from './described.ts'
import {
  hexColor,
  httpUrl,
  multiLine,
  numberBetween,
  opaqueOfAnyLength,
  required,
  singleLine,
  uuid,
} from './fields.ts'
import { switching } from './switching.ts'
import { Removal, RemovedResources } from './trash.ts'

/** The kinds of barcode that can be drawn. */
export const Symbology = z.enum(SYMBOLOGIES)

/** Position of the caption. */
export const CaptionPosition = z.enum(['top', 'bottom'])

const lengths = SYMBOLOGIES.map((name) => `\`${name}\` ${symbologies[name].longest}`).join(', ')

const texts = {
  ...codeTexts,
  size: 'Height of the bars in pixels, 10 to 300. Default 100.',
  text: 'Caption. Without one, none is drawn, except the data of `gs1-128` and `gs1-datamatrix`.',
  text_size: 'Size of the caption in pixels, 10 to 80. Default 20.',
  text_color: 'Colour of the caption, `#rgb` or `#rrggbb`. Default `#000000`.',
  text_position: 'Position of the caption. Default `bottom`.',
  symbology: 'The kind of barcode. Default `code128`.',
  url: 'The destination of the barcode; null if it encodes a `value`.',
  value: `A text or number to encode instead of \`url\`. Maximum length in characters: ${lengths}. A missing check digit of \`ean13\`, \`ean8\`, \`upca\` and \`itf14\` is added; see \`encodes\`. \`gs1-128\` and \`gs1-datamatrix\` take application identifiers, such as \`(01)09506000134352(10)AB12\`, and check their syntax and check digits.`,
}

const barcodeFields = {
  description: multiLine(255).nullish(),
  size: numberBetween(10, 300).nullish(),
  color: hexColor.nullish(),
  text: singleLine(50).nullish(),
  text_size: numberBetween(10, 80).nullish(),
  text_color: hexColor.nullish(),
  text_position: CaptionPosition.nullish(),
  symbology: Symbology.nullish(),
}

const ONE_CONTENT = 'Give url or value, not both'
/** Why a barcode of a value has no short link. */
export const ONLY_URLS_ARE_DYNAMIC = 'Only a barcode of a url can be dynamic'

const UrlBarcodeCreate = named(
  'BarcodeCreate',
  'A new barcode of a URL.',
  z.object(
    described(texts, { url: httpUrl, value: z.null(ONE_CONTENT).optional(), dynamic, ...barcodeFields }),
  ),
)
const ValueBarcodeCreate = named(
  'ValueBarcodeCreate',
  'A new barcode of a text or number.',
  z.object(
    described(texts, {
      url: z.null(ONE_CONTENT).optional(),
      value: required(opaqueOfAnyLength()),
      dynamic: z.literal(false, ONLY_URLS_ARE_DYNAMIC).nullish(),
      ...barcodeFields,
    }),
  ),
)

const given = (value: unknown): boolean => value !== undefined && value !== null

const isOfValue = (body: unknown): boolean => {
  const { url, value } = (body ?? {}) as Record<string, unknown>
  return given(value) && !given(url)
}

/** Every rule of a new barcode, of a URL or of a value. */
export const BarcodeCreate = switching(
  (body) => (isOfValue(body) ? ValueBarcodeCreate : UrlBarcodeCreate),
  [UrlBarcodeCreate, ValueBarcodeCreate],
)

/** Every rule of an edited barcode; omitted fields do not change. */
export const BarcodeEdit = named(
  'BarcodeEdit',
  'Changes to a barcode. Omitted fields do not change.',
  z
    .object(
      described(texts, {
        uuid,
        url: httpUrl.nullish(),
        value: required(opaqueOfAnyLength()).nullish(),
        dynamic,
        ...barcodeFields,
      }),
    )
    .refine(({ url, value }) => !given(url) || !given(value), { path: ['value'], error: ONE_CONTENT }),
)

/** A barcode in responses. */
export const Barcode = named(
  'Barcode',
  'A barcode.',
  z.object({
    ...described(texts, {
      uuid: z.string(),
      url: z.string().nullable(),
      value: z.string().nullable(),
      description: z.string().nullable(),
      size: z.number(),
      color: z.string(),
      text: z.string().nullable(),
      text_size: z.number(),
      text_color: z.string(),
      text_position: CaptionPosition,
      symbology: Symbology,
    }),
    ...codeResponse,
  }),
)

/** Body, query and response of every operation on barcodes. */
export const barcodeSchemas = {
  barcodes: { query: ListQuery, response: list(Barcode) },
  generateBarcode: { body: BarcodeCreate, response: success(Barcode) },
  editBarcode: { body: BarcodeEdit, response: success(Barcode) },
  removeBarcode: { body: Removal, response: success(RemovedResources) },
}
