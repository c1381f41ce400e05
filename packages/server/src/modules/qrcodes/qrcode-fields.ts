import type { Body, Data } from '@waymark/contract/schemas'
import type { QrcodeRow } from '../../storage/db/tables.ts'
import { type CodeContext, codeFields } from '../codes/code-fields.ts'
import { fieldsOf } from '../owned/field-map.ts'

export type QrCode = Data<'generateQr'>
export type QrCreate = Body<'generateQr'>
/** An edit can omit fields that a new code requires. */
type QrInput = Omit<Body<'editQr'>, 'uuid'>

interface QrContext extends CodeContext {
  readonly mediaUrl: (hash: string) => string
}

/** The exact text in a code. */
export const encodedBy = (row: Pick<QrcodeRow, 'payload' | 'encodes'>): string => row.payload ?? row.encodes

/** Every field of a QR code, in the order of responses. */
export const qrcodeFields = fieldsOf<QrcodeRow, QrInput, QrCode, QrContext>()({
  // A code with content keeps the last destination of the link it may have had.
  url: {
    column: 'url',
    isSettledByService: true,
    show: (row) => (row.content === null ? row.url : null),
    isSearched: true,
  },
  content: {
    isSettledByService: true,
    show: (row) => (row.content === null ? null : (JSON.parse(row.content) as QrCode['content'])),
  },
  ...codeFields,
  encodes: { ...codeFields.encodes, show: encodedBy },
  size: { column: 'size', initial: 300, show: (row) => row.size },
  // By default the eyes have the colour of the code.
  eye_color: { isSettledByService: true, show: (row) => row.eye_color },
  pattern: { column: 'pattern', initial: 'squares', show: (row) => row.pattern as QrCode['pattern'] },
  style: { column: 'style', initial: null, show: (row) => row.style as QrCode['style'] },
  eye_style: {
    column: 'eye_style',
    initial: null,
    // The default is stored as null, so that sending it back does not change the picture.
    store: (style) => (style === 'square' ? null : style),
    show: (row) => (row.eye_style ?? 'square') as QrCode['eye_style'],
  },
  frame: { column: 'frame', initial: null, show: (row) => row.frame },
  frame_font: {
    column: 'frame_font',
    initial: null,
    store: (font) => (font === 'sans' ? null : font),
    show: (row) => (row.frame_font ?? 'sans') as QrCode['frame_font'],
  },
  logo: {
    isSettledByService: true,
    show: (row, { mediaUrl }) => (row.logo_hash === null ? null : mediaUrl(row.logo_hash)),
  },
  background: { column: 'background', initial: '#ffffff', show: (row) => row.background },
  margin: { column: 'margin', initial: 4, show: (row) => row.margin },
})
