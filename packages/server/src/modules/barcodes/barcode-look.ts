import type { BarcodeOptions } from '@waymark/codes/barcodes'
import type { StoredCode } from '../../imaging/codes/code-images.ts'
import type { BarcodeRow } from './barcodes.store.ts'

/** The columns that affect the drawing of a barcode. */
export type Look = Pick<
  BarcodeRow,
  'size' | 'color' | 'text' | 'text_size' | 'text_color' | 'text_position' | 'symbology'
>

/** Only those columns, in a fixed order: their hash is the version of the picture. */
export const lookOf = (row: Look): Look => ({
  size: row.size,
  color: row.color,
  text: row.text,
  text_size: row.text_size,
  text_color: row.text_color,
  text_position: row.text_position,
  symbology: row.symbology,
})

/** The options of the drawing library. */
export const barcodeOptions = (look: Look, encodes: string): BarcodeOptions => ({
  text: encodes,
  size: look.size,
  color: look.color,
  captionSize: look.text_size,
  captionColor: look.text_color,
  captionPosition: look.text_position as 'top' | 'bottom',
  symbology: look.symbology as NonNullable<BarcodeOptions['symbology']>,
  ...(look.text !== null && { caption: look.text }),
})

/** A stored barcode, in the form for drawing. */
export const storedBarcode = (row: BarcodeRow): StoredCode => ({
  kind: 'barcode',
  input: barcodeOptions(row, row.encodes),
})
