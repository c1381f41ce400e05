import { dots, outline } from './outline.ts'
import { coordinates, decimal } from './path-data.ts'
import type { Grid, ModuleShape, QrStyle } from './picture.ts'
import { roundedOutline } from './rounded-outline.ts'

/** Modules as path data, one unit per cell. */
export interface ModulePath {
  path: string
  paint: Paint
}

/**
 * How path data is painted: `crisp` fills even-odd on whole pixels, `smooth` even-odd with anti-aliased edges, `overlapping`
 * with the non-zero rule; a number is the width of a stroke with round caps, whose path starts at the centre of the first
 * cell.
 */
export type Paint = 'crisp' | 'smooth' | 'overlapping' | number

/** With fewer pixels per module its shape is invisible, and only makes it harder for cameras to separate modules. */
export const MIN_SHAPED_PX = 3

const DOT = 0.9
const BAR = 0.9
// Half the diagonal: more than half a module, so that neighbours touch and more than half of a module is dark.
const DIAMOND = 0.62

/** The modules of the given kinds in their shape. */
export function modulePath(grid: Grid, kinds: number, shape: ModuleShape): ModulePath {
  const isTiny = grid.cellWidth < MIN_SHAPED_PX
  if (shape === 'dots') return { path: dots(grid, kinds), paint: isTiny ? 1 : DOT }
  if (shape === 'squares' || isTiny) return { path: outline(grid, kinds), paint: 'crisp' }
  return SHAPES[shape](grid, kinds)
}

const SHAPES: Record<QrStyle, (grid: Grid, kinds: number) => ModulePath> = {
  rounded: (grid, kinds) => ({
    path: roundedOutline(grid, kinds, { convex: [0.5, 0.5, 0.5, 0.5], concave: 0.25 }),
    paint: 'smooth',
  }),
  classy: (grid, kinds) => ({
    path: roundedOutline(grid, kinds, { convex: [0.5, 0, 0.5, 0], concave: 0 }),
    paint: 'smooth',
  }),
  diamond: (grid, kinds) => ({ path: diamonds(grid, kinds), paint: 'overlapping' }),
  bars: (grid, kinds) => ({ path: bars(grid, kinds), paint: BAR }),
}

function diamonds({ columns, cells }: Grid, kinds: number): string {
  const [far, near] = [DIAMOND, decimal(0.5 - DIAMOND)]
  const sides = `l${coordinates([far, far, -far, far, -far, -far])}z`
  let path = ''
  for (const [at, cell] of cells.entries()) {
    if ((cell & kinds) === 0) continue
    const x = at % columns
    path += `M${x + 0.5} ${decimal((at - x) / columns + near)}${sides}`
  }
  return path
}

/** Vertically adjacent modules as one stroke. */
function bars({ columns, rows, cells }: Grid, kinds: number): string {
  let path = ''
  for (let x = 0; x < columns; x++) {
    for (let y = 0; y < rows; y++) {
      const from = y
      while (y < rows && (cells[y * columns + x]! & kinds) !== 0) y++
      if (y > from) path += `M${x} ${from}v${y - from - 1}`
    }
  }
  return path
}
