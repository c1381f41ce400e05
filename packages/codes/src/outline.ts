import type { Grid } from './picture.ts'

/**
 * The cells of the wanted kinds as one even-odd path, a unit to the cell.
 *
 * An edge lies wherever two neighbours differ. Maximal straight runs of edges end only at corners, where exactly one
 * horizontal and one vertical run meet, so walking them in turn closes every loop with the fewest commands.
 */
export function outline(grid: Grid, kinds: number): string {
  const { width, starts, across, down } = findCorners(grid, kinds)
  let path = ''
  for (const start of starts) {
    if (across[start] === WALKED) continue
    let x = start % width
    let y = (start - x) / width
    let corner = start
    path += `M${x} ${y}`
    for (;;) {
      const nextX = across[corner]!
      across[corner] = WALKED
      across[y * width + nextX] = WALKED
      path += horizontal[nextX - x + SHORT] ?? `h${nextX - x}`
      x = nextX
      const nextY = down[y * width + x]!
      corner = nextY * width + x
      if (corner === start) break
      path += vertical[nextY - y + SHORT] ?? `v${nextY - y}`
      y = nextY
    }
    path += 'z'
  }
  return path
}

/** Round modules as zero-length strokes, to be drawn with round caps: a tenth of the bytes of circles. */
export function dots(grid: Grid, kinds: number): string {
  let path = ''
  let at = 0
  for (let y = 0; y < grid.rows; y++) {
    let last = -1
    for (let x = 0; x < grid.columns; x++) {
      if ((grid.cells[at++]! & kinds) === 0) continue
      path += last < 0 ? `M${x} ${y}h0` : `m${x - last} 0h0`
      last = x
    }
  }
  return path
}

const WALKED = -1
// Nearly every command is a short one: making each text once halves the time of an outline.
const SHORT = 16
const horizontal = Array.from({ length: 2 * SHORT + 1 }, (_, at) => `h${at - SHORT}`)
const vertical = Array.from({ length: 2 * SHORT + 1 }, (_, at) => `v${at - SHORT}`)

interface Corners {
  /** Points to the line: one more than cells. */
  width: number
  /** The left end of every horizontal run. */
  starts: number[]
  /** By corner: the column of the other end of its horizontal run. */
  across: Int16Array
  /** By corner: the row of the other end of its vertical run. */
  down: Int16Array
}

function findCorners({ columns, rows, cells }: Grid, kinds: number): Corners {
  const width = columns + 1
  const found = { width, starts: [] as number[], across: emptyPoints(), down: emptyPoints() }
  const runTop = new Int16Array(width).fill(NONE)
  // One cell more than there are, which stays ground.
  let above = new Uint8Array(width)
  let below = new Uint8Array(width)
  let from = 0
  for (let y = 0; y <= rows; y++) {
    ;[above, below] = [below, above]
    if (y === rows) below.fill(0)
    else for (let x = 0; x < columns; x++) below[x] = (cells[from++]! & kinds) === 0 ? 0 : 1
    let runLeft = NONE
    let edgeBefore = 0
    for (let x = 0; x < width; x++) {
      const edge = above[x]! ^ below[x]!
      if (edge === edgeBefore) continue
      edgeBefore = edge
      const corner = y * width + x
      if (runLeft === NONE) {
        runLeft = x
        found.starts.push(corner)
      } else {
        found.across[y * width + runLeft] = x
        found.across[corner] = runLeft
        runLeft = NONE
      }
      const top = runTop[x]!
      if (top !== NONE) {
        found.down[top * width + x] = y
        found.down[corner] = top
      }
      runTop[x] = top === NONE ? y : NONE
    }
  }
  return found

  function emptyPoints(): Int16Array {
    return new Int16Array(width * (rows + 1))
  }
}

const NONE = -1
