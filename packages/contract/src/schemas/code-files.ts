import { z } from 'zod'
import { Barcode, BarcodeCreate } from './barcodes.ts'
import { described } from './described.ts'
import { opaque, queryInteger, queryNumber, uuid } from './fields.ts'
import { QrCode, QrCreate } from './qrcodes.ts'
import { success } from './responses.ts'

/** Number of codes that one request can create. */
const MOST_CODES_AT_ONCE = 1000
/** Number of codes that an export can list. */
const MOST_NAMED = 100

/** Bytes of a file in a response. */
const file = z.custom<Uint8Array>().meta({ type: 'string', format: 'binary' })

const countOf = ({ qrcodes, barcodes }: { qrcodes?: unknown; barcodes?: unknown }): number =>
  [qrcodes, barcodes].reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)

const lists = {
  qrcodes: 'The new QR codes, as `generate-qr` takes them.',
  barcodes: 'The new barcodes, as `generate-barcode` takes them.',
}

/** Bodies, queries and responses of the operations on QR codes and barcodes together. */
export const codeFileSchemas = {
  printCode: {
    query: z.object(
      described(
        {
          uuid: 'The QR code or barcode.',
          format: 'The file format. `pdf` and `svg` are vectors; pure black is black ink only (K) in `pdf`.',
          width_mm:
            'Width in millimetres, 8 to 1000. The quiet zone is part of it, a frame and a caption are not.',
          dpi: 'Pixels per inch of `png`, 72 to 1200. A picture has at most 16 megapixels. Default 300.',
        },
        {
          uuid,
          format: z.enum(['pdf', 'svg', 'png']),
          width_mm: queryNumber(8, 1000),
          dpi: queryInteger(72, 1200).optional(),
        },
      ),
    ),
    response: file,
  },
  generateCodes: {
    body: z
      .object(
        described(lists, {
          qrcodes: z.array(QrCreate).max(MOST_CODES_AT_ONCE).nullish(),
          barcodes: z.array(BarcodeCreate).max(MOST_CODES_AT_ONCE).nullish(),
        }),
      )
      .refine((body) => countOf(body) > 0, { path: ['qrcodes'], error: 'Give qrcodes, barcodes or both' })
      .refine((body) => countOf(body) <= MOST_CODES_AT_ONCE, {
        path: ['qrcodes'],
        error: `Give at most ${MOST_CODES_AT_ONCE} codes in all`,
      }),
    response: success(
      z.object(
        described(
          { qrcodes: 'The QR codes, in the order of the request.', barcodes: 'The barcodes, likewise.' },
          { qrcodes: z.array(QrCode), barcodes: z.array(Barcode) },
        ),
      ),
    ),
  },
  exportCodes: {
    query: z.object(
      described(
        {
          format: 'The format of the pictures.',
          uuids: `Only these QR codes and barcodes: up to ${MOST_NAMED}, separated by commas.`,
          tag: 'Only codes whose short link has this tag.',
        },
        {
          format: z.enum(['svg', 'png']),
          uuids: opaque(MOST_NAMED * 37)
            .refine((value) => value.split(',').length <= MOST_NAMED, `Must name at most ${MOST_NAMED} codes`)
            .optional(),
          tag: opaque(255).optional(),
        },
      ),
    ),
    response: file,
  },
}
