/** The barcode languages on offer. */
export type Symbology = 'code128' | 'datamatrix' | 'pdf417' | 'aztec'

/** The dark and light modules of a barcode; linear ones have a single row. */
export interface Bars {
  columns: number
  rows: number
  /** Row by row, 1 is dark. */
  cells: Uint8Array
  /** Height of a row in modules; 0 for linear ones, whose bars are as high as you like. */
  rowModules: number
}

/** Modules of a PDF417 row, as its standard asks at least. */
export const PDF417_ROW = 3
