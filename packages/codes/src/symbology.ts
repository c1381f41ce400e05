/** A kind of barcode: everything about it except its encoder. */
interface SymbologyFacts {
  /** The display name. */
  readonly name: string
  /** When to use it. */
  readonly use: string
  /** Its name in the decoder that proves our pictures. */
  readonly decoder: string
  /**
   * The longest value, in characters. Longer ones take seconds to encode, or do not scan. In GS1 data, application identifiers
   * and separators count, and the parentheses around identifiers do not.
   */
  readonly longest: number
  /** Quiet zone in modules: at least that of its standard, because paper is never cut exactly. */
  readonly quiet: number
  /** Its encoder in bwip-js, which is large and loaded on demand; absent: the encoder is our own. */
  readonly bwip?: string
  /** It has several rows, or modules in both directions. */
  readonly isMatrix?: true
  /** It contains application identifiers of GS1: `(01)09506000134352(10)AB12`. */
  readonly isGs1?: true
}

/** The available symbologies. */
const TABLE = {
  code128: {
    name: 'Code 128',
    use: 'Any text. For labels, parcels and shelves; every scanner reads it.',
    decoder: 'Code128',
    longest: 200,
    quiet: 10,
  },
  datamatrix: {
    name: 'Data Matrix',
    use: 'Any text, in the smallest space. For small items; phones and camera scanners read it.',
    decoder: 'DataMatrix',
    longest: 500,
    quiet: 2,
    bwip: 'datamatrix',
    isMatrix: true,
  },
  pdf417: {
    name: 'PDF417',
    use: 'Long texts. For tickets, ID cards and shipping papers.',
    decoder: 'PDF417',
    longest: 800,
    quiet: 4,
    bwip: 'pdf417',
    isMatrix: true,
  },
  aztec: {
    name: 'Aztec',
    use: 'Any text, without a margin. For tickets on phone screens.',
    decoder: 'Aztec',
    longest: 500,
    quiet: 2,
    bwip: 'azteccode',
    isMatrix: true,
  },
  ean13: {
    name: 'EAN-13',
    use: '13 digits. For goods in shops worldwide; needs a number from GS1.',
    decoder: 'EAN13',
    longest: 13,
    quiet: 12,
  },
  ean8: {
    name: 'EAN-8',
    use: '8 digits. For goods too small for EAN-13.',
    decoder: 'EAN8',
    longest: 8,
    quiet: 9,
  },
  upca: {
    name: 'UPC-A',
    use: '12 digits. For goods in shops in North America.',
    decoder: 'UPCA',
    longest: 12,
    quiet: 11,
  },
  itf14: {
    name: 'ITF-14',
    use: '14 digits. For cartons and pallets, also on corrugated board.',
    decoder: 'ITF',
    longest: 14,
    quiet: 11,
  },
  code39: {
    name: 'Code 39',
    use: 'Capital letters, digits and - . $ / + %. For labels in industry and older scanners.',
    // Not the extended one, in which pairs such as +A represent lower-case letters.
    decoder: 'Code39Std',
    longest: 80,
    quiet: 11,
  },
  'gs1-128': {
    name: 'GS1-128',
    use: 'Application identifiers of GS1, such as (01)09506000134352(10)AB12. For cartons and logistics.',
    decoder: 'Code128',
    longest: 48,
    quiet: 10,
    bwip: 'gs1-128',
    isGs1: true,
  },
  'gs1-datamatrix': {
    name: 'GS1 DataMatrix',
    use: 'Application identifiers of GS1 in the smallest space. For medicines and fresh food.',
    decoder: 'DataMatrix',
    longest: 500,
    quiet: 2,
    bwip: 'gs1datamatrix',
    isMatrix: true,
    isGs1: true,
  },
} as const satisfies Record<string, SymbologyFacts>

type Table = typeof TABLE
export type Symbology = keyof Table
export const SYMBOLOGIES = Object.keys(TABLE) as [Symbology, ...Symbology[]]

/** Symbologies with a large encoder, which is loaded on demand. */
export type LoadedSymbology = {
  [K in Symbology]: Table[K] extends { readonly bwip: string } ? K : never
}[Symbology]
/** Symbologies with our own encoder. All have one row of bars. */
export type LinearSymbology = Exclude<Symbology, LoadedSymbology>

/** The properties of each symbology. */
export const symbologies: { readonly [K in Symbology]: Table[K] & SymbologyFacts } = TABLE

/** Whether the encoder of a symbology is our own. */
export function isBuiltIn(symbology: Symbology): symbology is LinearSymbology {
  return !('bwip' in TABLE[symbology])
}

/** Whether a symbology has one row of bars. */
export function isLinear(symbology: Symbology): boolean {
  return !('isMatrix' in TABLE[symbology])
}

/** Whether a symbology contains application identifiers of GS1. */
export function isGs1(symbology: Symbology): boolean {
  return 'isGs1' in TABLE[symbology]
}

/** The dark and light modules of a barcode; linear ones have a single row. */
export interface Bars {
  columns: number
  rows: number
  /** Row by row, 1 is dark. */
  cells: Uint8Array
  /** Height of a row in modules; 0 for linear codes, whose bars can have any height. */
  rowModules: number
}

/** Minimum height of a PDF417 row in modules, by its standard. */
export const PDF417_ROW = 3
