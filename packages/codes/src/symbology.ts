/** The kinds of barcodes on offer. */
export const SYMBOLOGIES = [
  'code128',
  'datamatrix',
  'pdf417',
  'aztec',
  'ean13',
  'ean8',
  'upca',
  'itf14',
  'code39',
] as const
export type Symbology = (typeof SYMBOLOGIES)[number]

/** Kinds whose modules lie in two dimensions. Their encoder is large and is loaded with the first of them. */
export type MatrixSymbology = 'datamatrix' | 'pdf417' | 'aztec'
/** Kinds of one row of bars. */
export type LinearSymbology = Exclude<Symbology, MatrixSymbology>

/** Whether a kind is of one row of bars. */
export function isLinear(symbology: Symbology): symbology is LinearSymbology {
  return symbology !== 'datamatrix' && symbology !== 'pdf417' && symbology !== 'aztec'
}

/** What people call each kind. */
export const SYMBOLOGY_NAMES: Readonly<Record<Symbology, string>> = {
  code128: 'Code 128',
  datamatrix: 'Data Matrix',
  pdf417: 'PDF417',
  aztec: 'Aztec',
  ean13: 'EAN-13',
  ean8: 'EAN-8',
  upca: 'UPC-A',
  itf14: 'ITF-14',
  code39: 'Code 39',
}

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
