import { MIN_SHAPED_PX, type ModulePath } from './module-paths.ts'
import { outline } from './outline.ts'
import { roundedRectangle } from './path-data.ts'
import { EYE } from './picture.ts'
import type { EyeStyle, Grid } from './picture.ts'

/** Width of an eye in modules. */
export const EYE_MODULES = 7
const RING = 1

interface EyeShape {
  /** Corner radii of the ring's outer and inner edge and of the pupil, in modules. */
  readonly radii: readonly [number, number, number]
  /** Width of the pupil in modules. */
  readonly pupil: number
}

const SHAPES: Record<Exclude<EyeStyle, 'square'>, EyeShape> = {
  // With an outer radius of 2.2, ZBar finds only a third of the codes turned by 35 degrees; with this one all, at any angle.
  rounded: { radii: [1.5, 0.8, 0.7], pupil: 3 },
  // Blur takes more from a disc than from a square. With a disc of 3 modules, ZXing missed a third of the blurred codes.
  circle: { radii: [1.5, 0.8, 1.4], pupil: 3.1 },
}

/**
 * The three eyes of a QR code. Along every line through the centre of an eye the widths are nearly 1:1:3:1:1, which decoders
 * search for; only the corners change.
 */
export function eyePath(grid: Grid, style: EyeStyle): ModulePath {
  if (style === 'square' || grid.cellWidth < MIN_SHAPED_PX)
    return { path: outline(grid, EYE), paint: 'crisp' }
  const { radii, pupil } = SHAPES[style]
  const [outer, inner, corner] = radii
  const pupilFrom = (EYE_MODULES - pupil) / 2
  const [right, bottom] = [grid.columns - EYE_MODULES, grid.rows - EYE_MODULES]
  const eyes = [
    [0, 0],
    [right, 0],
    [0, bottom],
  ] as const
  const path = eyes.map(
    ([x, y]) =>
      roundedRectangle(x, y, EYE_MODULES, EYE_MODULES, outer) +
      roundedRectangle(x + RING, y + RING, EYE_MODULES - 2 * RING, EYE_MODULES - 2 * RING, inner) +
      roundedRectangle(x + pupilFrom, y + pupilFrom, pupil, pupil, corner),
  )
  return { path: path.join(''), paint: 'smooth' }
}
