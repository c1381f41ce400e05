import { isLinear, PDF417_ROW } from './symbology.ts'
import type { Bars, LoadedSymbology } from './symbology.ts'

// The function that returns modules bundles all hundred encoders (260 kB gzipped). A single encoder can be imported alone
// but only draws, so it draws one dot per module at scale 1, and we record the dots. Each has its own file, so that browsers
// load only the one they need; packages/web/build/separate-encoders.ts keeps them apart.

const ENCODERS = {
  datamatrix: async () => (await import('./bwip/datamatrix.ts')).datamatrix,
  pdf417: async () => (await import('./bwip/pdf417.ts')).pdf417,
  aztec: async () => (await import('./bwip/aztec.ts')).azteccode,
  'gs1-128': async () => (await import('./bwip/gs1-128.ts')).gs1_128,
  'gs1-datamatrix': async () => (await import('./bwip/gs1-datamatrix.ts')).gs1datamatrix,
}

/** The modules of a code, recorded from the encoder's drawing. */
export async function modulesOf(
  text: string,
  symbology: LoadedSymbology,
  options: { parsefnc: boolean; lintreqs?: boolean },
): Promise<Bars> {
  const encode = await ENCODERS[symbology]()
  const sheet = encode({ bcid: symbology, text, dotty: true, ...options }, noteTaker())
  if (isLinear(symbology)) return sheet.bars
  const rowModules = symbology === 'pdf417' ? PDF417_ROW : 1
  const { width: columns, height } = sheet
  const rows = height / rowModules
  const cells = new Uint8Array(columns * rows)
  for (const [x, y] of sheet.dots) {
    if (y % rowModules === 0) cells[(y / rowModules) * columns + x] = 1
  }
  return { columns, rows, cells, rowModules }
}

interface Sheet {
  width: number
  height: number
  dots: [number, number][]
  /** Bars of a linear code. */
  bars: Bars
}

function noteTaker() {
  const sheet = { width: 0, height: 0, dots: [] as [number, number][] }
  const bars: [left: number, width: number][] = []
  const nothing = () => undefined
  return {
    scale: (): [number, number] => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init(width: number, height: number) {
      // The canvas of matrix codes is one pixel larger than the code, for rounding of its dots.
      sheet.width = width
      sheet.height = height
    },
    line(x: number, _top: number, _x: number, _bottom: number, width: number) {
      bars.push([Math.floor(x - width / 2), width])
    },
    ellipse(x: number, y: number) {
      sheet.dots.push([Math.floor(x), Math.floor(y)])
    },
    polygon: nothing,
    hexagon: nothing,
    fill: nothing,
    text: nothing,
    end(): Sheet {
      const [first = 0] = bars.map(([left]) => left)
      const columns = Math.max(0, ...bars.map(([left, width]) => left - first + width))
      const cells = new Uint8Array(columns)
      for (const [left, width] of bars) cells.fill(1, left - first, left - first + width)
      return {
        ...sheet,
        width: sheet.width - 1,
        height: sheet.height - 1,
        bars: { columns, rows: 1, cells, rowModules: 0 },
      }
    },
  }
}
