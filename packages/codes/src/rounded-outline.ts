import { coordinates, decimal } from './path-data.ts'
import type { Grid } from './picture.ts'

/** Radii of an outline's corners, in modules: convex and concave. */
export interface CornerRadii {
  /** By position in the module: top left, top right, bottom right, bottom left. */
  convex: readonly [number, number, number, number]
  concave: number
}

// Right, down, left, up: the dark cells are to the right of the path.
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

/**
 * The cells of the given kinds as one even-odd path with rounded corners, one unit per cell. Unlike in `outline`, cells that
 * touch only at a corner are separate: each has its own corner to round.
 */
export function roundedOutline(grid: Grid, kinds: number, radii: CornerRadii): string {
  const { columns, rows, cells } = grid
  const isInk = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < columns && y < rows && (cells[y * columns + x]! & kinds) !== 0
  // By cell: whether the edge above it has been visited. Every loop has at least one of these.
  const walked = new Uint8Array(columns * rows)
  let path = ''
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      if (walked[y * columns + x] === 1 || !isInk(x, y) || isInk(x, y - 1)) continue
      path += loopPath(
        walk(x, y, isInk, (atX, atY) => (walked[atY * columns + atX] = 1)),
        radii,
      )
    }
  }
  return path
}

interface Corner {
  x: number
  y: number
  /** Direction after the corner, as an index of STEPS. */
  direction: number
  isConvex: boolean
}

/** Walks around the dark cells from the top left corner of a cell whose upper neighbour is background. */
function walk(
  startX: number,
  startY: number,
  isInk: (x: number, y: number) => boolean,
  onTopEdge: (x: number, y: number) => void,
): Corner[] {
  const corners: Corner[] = []
  let [x, y, direction] = [startX, startY, 0]
  do {
    if (direction === 0) onTopEdge(x, y)
    const [stepX, stepY] = STEPS[direction]!
    x += stepX
    y += stepY
    const turn = turnAt(x, y, direction, isInk)
    if (turn !== 0) {
      direction = (direction + turn + 4) % 4
      corners.push({ x, y, direction, isConvex: turn === 1 })
    }
  } while (x !== startX || y !== startY || direction !== 0)
  // The last corner is the one before the starting edge.
  return corners.slice(-1).concat(corners.slice(0, -1))
}

/** 1: right turn at a convex corner; -1: left turn at a concave corner; 0: straight on. */
function turnAt(x: number, y: number, direction: number, isInk: (x: number, y: number) => boolean): number {
  // The two cells ahead of the corner, to the left and right of the path.
  const [aheadX, aheadY] = STEPS[direction]!
  const [rightX, rightY] = STEPS[(direction + 1) % 4]!
  const cell = (side: number): boolean =>
    isInk(
      x + Math.min(0, aheadX) + Math.min(0, side * rightX),
      y + Math.min(0, aheadY) + Math.min(0, side * rightY),
    )
  // Without a dark cell on the right the path turns there, even if a diagonal neighbour is dark.
  if (!cell(1)) return 1
  return cell(-1) ? -1 : 0
}

function loopPath(corners: readonly Corner[], { convex, concave }: CornerRadii): string {
  // After the top left corner the direction is right (0), after the top right one down (1), and so on.
  const radii = corners.map(({ direction, isConvex }) => (isConvex ? convex[direction]! : concave))
  let path = ''
  for (const [at, corner] of corners.entries()) {
    const radius = radii[at]!
    const [outX, outY] = STEPS[corner.direction]!
    const [inX, inY] = STEPS[(corner.direction + (corner.isConvex ? 3 : 1)) % 4]!
    if (at === 0) path += `M${coordinates([corner.x - radius * inX, corner.y - radius * inY])}`
    if (radius > 0) path += `q${coordinates([inX, inY, inX + outX, inY + outY].map((part) => part * radius))}`
    const next = corners[at + 1]
    if (next === undefined) continue
    const isAcross = outX !== 0
    const whole = isAcross ? next.x - corner.x : next.y - corner.y
    const length = whole - Math.sign(whole) * (radius + radii[at + 1]!)
    if (length !== 0) path += `${isAcross ? 'h' : 'v'}${decimal(length)}`
  }
  return `${path}z`
}
