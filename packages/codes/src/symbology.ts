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
  'gs1-128',
  'gs1-datamatrix',
] as const
export type Symbology = (typeof SYMBOLOGIES)[number]

const LOADED = ['datamatrix', 'pdf417', 'aztec', 'gs1-128', 'gs1-datamatrix'] as const

/** Kinds whose encoder is large, and loaded with the first of them. */
export type LoadedSymbology = (typeof LOADED)[number]
/** Kinds whose encoder is our own. All are of one row of bars. */
export type LinearSymbology = Exclude<Symbology, LoadedSymbology>

/** Whether the encoder of a kind is our own. */
export function isBuiltIn(symbology: Symbology): symbology is LinearSymbology {
  return !LOADED.includes(symbology as never)
}

/** Whether a kind is of one row of bars. */
export function isLinear(symbology: Symbology): boolean {
  return isBuiltIn(symbology) || symbology === 'gs1-128'
}

/** Whether a kind holds application identifiers of GS1: `(01)09506000134352(10)AB12`. */
export function isGs1(symbology: Symbology): boolean {
  return symbology === 'gs1-128' || symbology === 'gs1-datamatrix'
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
  'gs1-128': 'GS1-128',
  'gs1-datamatrix': 'GS1 DataMatrix',
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
