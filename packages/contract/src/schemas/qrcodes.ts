import { z } from 'zod'
import { ListQuery, list, success } from './responses.ts'
import { codeResponse, codeTexts, dynamic } from './codes.ts'
import { QrContent, ShownContent } from './contents.ts'
import { described, named } from './described.ts'
import { hexColor, httpUrl, imageFile, integerBetween, multiLine, singleLine, uuid } from './fields.ts'
import { switching } from './switching.ts'
import { Removal, RemovedResources } from './trash.ts'

/** How the modules of a QR code are drawn. */
export const QrPattern = z.enum(['squares', 'dots'])

/** Further shapes of modules, which override the pattern. */
export const QrStyle = z.enum(['rounded', 'classy', 'diamond', 'bars'])

/** The shapes of the three eyes. */
export const QrEyeStyle = z.enum(['square', 'rounded', 'circle'])

/** The fonts of a frame's caption, drawn as outlines. */
const QrFrameFont = z.enum(['sans', 'serif', 'mono'])

const texts = {
  ...codeTexts,
  url: 'The destination of the code; null if it encodes a `content`.',
  content:
    'What the code encodes instead of `url`: a Wi-Fi network, a contact, an event, an email, a text message, a phone number, a place, a text or a SEPA transfer. With the key alone responses show its `type` only.',
  encodes: 'The exact text inside the code. Null without a signature if the code encodes a `content`.',
  pattern: 'How the modules are drawn.',
  size: 'Width and height in pixels, 200 to 500. Default 300.',
  eye_color: 'Colour of the three corner squares, `#rgb` or `#rrggbb`. Default: `color`.',
  style: 'A further shape of the modules, instead of `pattern`.',
  eye_style: 'Shape of the three corner squares. Default `square`.',
  frame: 'A caption in a frame around the code, at most 50 characters. The picture is then higher than wide.',
  frame_font: 'Font of the caption. Letters that it does not have are drawn in `sans`. Default `sans`.',
  logo: 'A picture in the middle of the code: PNG or JPEG, at most 2048 KB.',
  background: 'Colour behind the code, `#rgb` or `#rrggbb`. Default `#ffffff`.',
  margin: 'Width of the quiet zone in modules, 0 to 20. Default 4.',
}

const qrFields = {
  description: multiLine().nullish(),
  size: integerBetween(200, 500).nullish(),
  color: hexColor.nullish(),
  eye_color: hexColor.nullish(),
  style: QrStyle.nullish(),
  eye_style: QrEyeStyle.nullish(),
  frame: singleLine(50).nullish(),
  frame_font: QrFrameFont.nullish(),
  logo: imageFile(['png', 'jpeg']).nullish(),
  background: hexColor.nullish(),
  margin: integerBetween(0, 20).nullish(),
  dynamic,
}

const { color, eye_color, style, eye_style, frame, frame_font, background } = qrFields

/** The settings of a saved style. */
export const qrStyleFields = described(texts, {
  pattern: QrPattern,
  style,
  eye_style,
  color,
  eye_color,
  background,
  frame,
  frame_font,
})

/** The colours of a saved style in responses: `#rrggbb`. */
export const savedQrColors = described(texts, {
  color: z.string().nullish(),
  eye_color: z.string().nullish(),
  background: z.string().nullish(),
})

const ONE_CONTENT = 'Give url or content, not both'
/** Why a QR code with content has no short link. */
export const ONLY_QR_URLS_ARE_DYNAMIC = 'Only a QR code of a url can be dynamic'

const UrlQrCreate = named(
  'QrCodeCreate',
  'A new QR code of a URL.',
  z.object(
    described(texts, {
      url: httpUrl,
      content: z.null(ONE_CONTENT).optional(),
      pattern: QrPattern,
      ...qrFields,
    }),
  ),
)
const ContentQrCreate = named(
  'ContentQrCodeCreate',
  'A new QR code with a `content`.',
  z.object(
    described(texts, {
      url: z.null(ONE_CONTENT).optional(),
      content: QrContent,
      pattern: QrPattern,
      ...qrFields,
      dynamic: z.literal(false, ONLY_QR_URLS_ARE_DYNAMIC).nullish(),
    }),
  ),
)

const given = (value: unknown): boolean => value !== undefined && value !== null

const isOfContent = (body: unknown): boolean => {
  const { url, content } = (body ?? {}) as Record<string, unknown>
  return given(content) && !given(url)
}

/** Every rule of a new QR code, of a URL or of a content. */
export const QrCreate = switching(
  (body) => (isOfContent(body) ? ContentQrCreate : UrlQrCreate),
  [UrlQrCreate, ContentQrCreate],
)

/** Every rule of an edited QR code; omitted fields do not change. */
export const QrEdit = named(
  'QrCodeEdit',
  'Changes to a QR code. Omitted fields do not change.',
  z
    .object(
      described(texts, {
        uuid,
        url: httpUrl.nullish(),
        content: QrContent.nullish(),
        pattern: QrPattern.nullish(),
        ...qrFields,
      }),
    )
    .refine(({ url, content }) => !given(url) || !given(content), { path: ['content'], error: ONE_CONTENT }),
)

/** A QR code in responses. */
export const QrCode = named(
  'QrCode',
  'A QR code.',
  z.object({
    ...described(texts, {
      uuid: z.string(),
      url: z.string().nullable(),
      content: ShownContent.nullable(),
      description: z.string().nullable(),
      size: z.int(),
      color: z.string(),
      eye_color: z.string(),
      pattern: QrPattern,
      style: QrStyle.nullable(),
      eye_style: QrEyeStyle,
      frame: z.string().nullable(),
      frame_font: QrFrameFont,
      logo: z.string().nullable(),
      background: z.string(),
      margin: z.int(),
    }),
    ...codeResponse,
    ...described(texts, { encodes: z.string().nullable() }),
  }),
)

/** Body, query and response of every operation on QR codes. */
export const qrSchemas = {
  qrcodes: { query: ListQuery, response: list(QrCode) },
  generateQr: { body: QrCreate, response: success(QrCode) },
  editQr: { body: QrEdit, response: success(QrCode) },
  removeQr: { body: Removal, response: success(RemovedResources) },
}
