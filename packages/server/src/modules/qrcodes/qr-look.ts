import {
  type CodeContent,
  contentLabel,
  contentLevel,
  type EyeStyle,
  type FrameFont,
  type QrStyle,
} from '@waymark/codes'
import type { QrInput, StoredCode } from '../../imaging/codes/code-images.ts'
import type { QrDrawing } from '../../imaging/codes/render-code.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { QrcodeRow } from './qrcodes.store.ts'

/** The columns that affect the drawing of a QR code. */
export type Look = Pick<
  QrcodeRow,
  | 'size'
  | 'color'
  | 'eye_color'
  | 'background'
  | 'margin'
  | 'pattern'
  | 'style'
  | 'eye_style'
  | 'frame'
  | 'frame_font'
  | 'logo_hash'
>

/** Only those columns, in a fixed order: their hash is the version of the picture. */
export const lookOf = (row: Look): Look => ({
  size: row.size,
  color: row.color,
  eye_color: row.eye_color,
  background: row.background,
  margin: row.margin,
  pattern: row.pattern,
  style: row.style,
  eye_style: row.eye_style,
  frame: row.frame,
  frame_font: row.frame_font,
  logo_hash: row.logo_hash,
})

/** The text of a code, its description for screen readers, and the error correction that its standard prescribes. */
export type QrText = Pick<QrInput, 'text' | 'title' | 'exactLevel'>

/** The text of a stored code. */
const textOf = (row: Pick<QrcodeRow, 'content' | 'payload' | 'encodes'>): QrText =>
  row.content === null || row.payload === null
    ? { text: row.encodes }
    : contentText(JSON.parse(row.content) as CodeContent, row.payload)

/** The text of a code with content. */
export const contentText = (content: CodeContent, payload: string): QrText => {
  const exactLevel = contentLevel(content.type)
  return {
    text: payload,
    title: `QR code: ${contentLabel(content)}`,
    ...(exactLevel !== undefined && { exactLevel }),
  }
}

/** The options of the drawing library. */
export const qrInput = (look: Look, text: QrText, logo: Uint8Array | undefined): QrInput => ({
  ...text,
  size: look.size,
  color: look.color,
  eyeColor: look.eye_color,
  background: look.background,
  margin: look.margin,
  pattern: look.pattern as 'squares' | 'dots',
  ...(look.style !== null && { style: look.style as QrStyle }),
  ...(look.eye_style !== null && { eyeStyle: look.eye_style as EyeStyle }),
  ...(look.frame !== null && { frame: look.frame }),
  ...(look.frame_font !== null && { frameFont: look.frame_font as FrameFont }),
  ...(logo !== undefined && { logo }),
})

/** A stored code, in the form for drawing. */
export const storedQr = async (row: QrcodeRow, blobs: Pick<BlobReferences, 'need'>): Promise<StoredCode> => {
  const logo = row.logo_hash === null ? undefined : await blobs.need(row.logo_hash)
  const drawing = JSON.parse(row.drawing) as QrDrawing
  return { kind: 'qr', input: qrInput(row, textOf(row), logo), drawing }
}
