import { azteccode, code128, datamatrix, pdf417 } from 'bwip-js/browser'
import { PDF417_ROW } from './symbology.ts'
import type { Bars, Symbology } from './symbology.ts'

// The call that hands out modules drags all hundred encoders along (260 kB gzipped). These four can be had alone (80 kB) but
// only draw: so let them draw a dot per module at scale 1, and note where the dots are.

const ENCODERS = { code128, datamatrix, pdf417, aztec: azteccode }

/** The modules of a barcode, gathered from what the encoder draws. */
export function modulesOf(text: string, symbology: Symbology): Bars {
  const encode = ENCODERS[symbology]
  const sheet = encode({ bcid: symbology, text, dotty: true }, noteTaker())
  if (symbology === 'code128') {
    return { columns: sheet.width, rows: 1, cells: Uint8Array.from(sheet.bars), rowModules: 0 }
  }
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
  bars: number[]
  dots: [number, number][]
}

function noteTaker() {
  const sheet: Sheet = { width: 0, height: 0, bars: [], dots: [] }
  const nothing = () => undefined
  return {
    scale: (): [number, number] => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init(width: number, height: number) {
      // The canvas of matrix codes is a pixel larger than the code, for the rounding of its dots.
      sheet.width = width
      sheet.height = height
    },
    line(x: number, _y: number, _toX: number, _toY: number, thickness: number) {
      const left = x - Math.ceil(thickness / 2)
      for (let at = left; at < left + thickness; at++) sheet.bars[at] = 1
    },
    ellipse(x: number, y: number) {
      sheet.dots.push([Math.floor(x), Math.floor(y)])
    },
    polygon: nothing,
    hexagon: nothing,
    fill: nothing,
    text: nothing,
    end(): Sheet {
      if (sheet.dots.length === 0) {
        return { ...sheet, bars: Array.from({ length: sheet.width }, (_, at) => sheet.bars[at] ?? 0) }
      }
      return { ...sheet, width: sheet.width - 1, height: sheet.height - 1 }
    },
  }
}
