import { isoTime } from '../../work/times.ts'
import type { Data } from '@waymark/contract/schemas'
import type { LinkRow } from '../links/links.store.ts'
import type { ImageUrls, Pictured } from './image-urls.ts'

/** The row of a QR code or barcode. */
interface CodeRow extends Pictured {
  readonly description: string | null
  readonly color: string
  readonly dynamic: number
  readonly encodes: string
  readonly warnings: string
  readonly grade: string | null
  readonly created_by: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** Data for responses that the row of a code does not have. */
export interface CodeContext {
  /** The short link of a code that is or was dynamic. */
  readonly link: LinkRow | undefined
  readonly shortUrl: (link: LinkRow) => string
  readonly addresses: ImageUrls
}

export const BLACK = '#000000'

/** The fields that QR codes and barcodes share: content, pictures and statistics. */
export const codeFields = {
  description: {
    column: 'description',
    initial: null,
    show: (row: CodeRow) => row.description,
    isSearched: true,
  },
  color: { column: 'color', initial: BLACK, show: (row: CodeRow) => row.color },
  dynamic: { isSettledByService: true, show: (row: CodeRow) => row.dynamic === 1 },
  encodes: { column: 'encodes', show: (row: CodeRow) => row.encodes, isSearched: true },
  short_url: {
    show: (_row: CodeRow, { link, shortUrl }: CodeContext) => (link === undefined ? null : shortUrl(link)),
  },
  image_url: { show: (row: CodeRow, { addresses }: CodeContext) => addresses.png(row) },
  svg_url: { show: (row: CodeRow, { addresses }: CodeContext) => addresses.svg(row) },
  scans: { show: (_row: CodeRow, { link }: CodeContext) => link?.clicks ?? 0 },
  warnings: { show: (row: CodeRow) => JSON.parse(row.warnings) as string[] },
  grade: {
    show: (row: CodeRow) =>
      row.grade === null ? null : (JSON.parse(row.grade) as Data<'generateQr'>['grade']),
  },
  created_by: { show: (row: CodeRow) => row.created_by },
  created_at: { show: (row: CodeRow) => isoTime(row.created_at) },
  updated_at: { show: (row: CodeRow) => isoTime(row.updated_at) },
  uuid: { show: (row: CodeRow) => row.uuid },
} as const
