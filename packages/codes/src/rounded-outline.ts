import { coordinates, decimal } from './path-data.ts'
import type { Grid } from './picture.ts'

/** How far each corner of an outline is rounded, in modules: one that points outwards, and one that points inwards. */
export interface CornerRadii {
  /** By the corner of the module that it is: top left, top right, bottom right, bottom left. */
  convex: readonly [number, number, number, number]
  concave: number
}

// Right, down, left, up: the ink lies to the right of the way.
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

/**
 * The cells of the wanted kinds as one even-odd path with rounded corners, a unit to the cell. Cells that touch only at a
 * corner are apart, unlike in `outline`: there each of them has a corner of its own to round.
 */
export function roundedOutline(grid: Grid, kinds: number, radii: CornerRadii): string {
  const { columns, rows, cells } = grid
  const isInk = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < columns && y < rows && (cells[y * columns + x]! & kinds) !== 0
  // By cell: whether the edge above it has been walked. Every loop has one of these.
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
  /** Direction of the way behind the corner, as an index of STEPS. */
  direction: number
  isConvex: boolean
}

/** Walks around the ink from the top left corner of a cell, whose upper neighbour is ground. */
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
  // The last corner is the one that the walk began behind.
  return corners.slice(-1).concat(corners.slice(0, -1))
}

/** 1 to the right around a corner of the ink, -1 to the left into a nook, 0 straight on. */
function turnAt(x: number, y: number, direction: number, isInk: (x: number, y: number) => boolean): number {
  // The two cells ahead of the corner, to the left and to the right of the way.
  const [aheadX, aheadY] = STEPS[direction]!
  const [rightX, rightY] = STEPS[(direction + 1) % 4]!
  const cell = (side: number): boolean =>
    isInk(
      x + Math.min(0, aheadX) + Math.min(0, side * rightX),
      y + Math.min(0, aheadY) + Math.min(0, side * rightY),
    )
  // Without ink on the right the way turns there at once, even if a diagonal neighbour goes on.
  if (!cell(1)) return 1
  return cell(-1) ? -1 : 0
}

function loopPath(corners: readonly Corner[], { convex, concave }: CornerRadii): string {
  // Behind its top left corner the way goes right (0), behind the top right one down (1), and so on.
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
