import { z } from 'zod'
import { ListQuery, list, Removed, success } from './answers.ts'
import { codeAnswer, dynamic } from './codes.ts'
import { hexColor, httpUrl, imageFile, integerBetween, text, uuid } from './fields.ts'

/** How the modules of a QR code are drawn. */
export const QrPattern = z.enum(['squares', 'dots'])

const qrFields = {
  description: text().nullish(),
  size: integerBetween(200, 500).nullish().meta({ description: 'Pixels, default 300' }),
  color: hexColor.nullish(),
  eye_color: hexColor.nullish().meta({ description: 'Default: as `color`' }),
  logo: imageFile(['png', 'jpeg']).nullish(),
  background: hexColor.nullish().meta({ description: 'Extension: default #ffffff' }),
  margin: integerBetween(0, 20)
    .nullish()
    .meta({ description: 'Extension: quiet zone in modules, default 4' }),
  dynamic,
}

/** Every rule of a new QR code. */
export const QrCreate = z.object({ url: httpUrl, pattern: QrPattern, ...qrFields })

/** Every rule of an edited QR code; what is left out stays. */
export const QrEdit = z.object({ uuid, url: httpUrl.nullish(), pattern: QrPattern.nullish(), ...qrFields })

/** A QR code as it is answered. */
export const QrCode = z.object({
  uuid: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  size: z.int(),
  color: z.string(),
  eye_color: z.string(),
  pattern: QrPattern,
  logo: z.string().nullable(),
  background: z.string(),
  margin: z.int(),
  ...codeAnswer,
})

/** Body, query and answer of every operation on QR codes. */
export const qrSchemas = {
  qrcodes: { query: ListQuery, answer: list(QrCode) },
  generateQr: { body: QrCreate, answer: success(QrCode) },
  editQr: { body: QrEdit, answer: success(QrCode) },
  removeQr: { body: z.object({ uuid }), answer: success(Removed) },
}
