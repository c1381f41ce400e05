import type { Grid } from './picture.ts'

/**
 * The cells of the given kinds as one even-odd path, one unit per cell.
 *
 * There is an edge wherever two neighbours differ. Maximal straight runs of edges end only at corners, where exactly one
 * horizontal and one vertical run meet, so following them alternately closes every loop with the fewest commands.
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
      const turn = y * width + nextX
      across[corner] = WALKED
      across[turn] = WALKED
      const nextY = down[turn]!
      corner = nextY * width + nextX
      if (corner === start) {
        path += `h${nextX - x}z`
        break
      }
      path += step(nextX - x, nextY - y)
      x = nextX
      y = nextY
    }
  }
  return path
}

/** Round modules as zero-length strokes, to be drawn with round caps: fewer bytes than circles. */
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
// Nearly every step is short, so the text of each is created once.
const SHORT = 8
const steps = Array.from({ length: (2 * SHORT + 1) ** 2 }, (_, at) => {
  const down = at % (2 * SHORT + 1)
  return `h${(at - down) / (2 * SHORT + 1) - SHORT}v${down - SHORT}`
})

function step(across: number, down: number): string {
  const isShort = across <= SHORT && across >= -SHORT && down <= SHORT && down >= -SHORT
  return isShort ? steps[(across + SHORT) * (2 * SHORT + 1) + down + SHORT]! : `h${across}v${down}`
}

interface Corners {
  /** Points per line: one more than cells. */
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
  const starts: number[] = []
  const across = new Int16Array(width * (rows + 1))
  const down = new Int16Array(width * (rows + 1))
  const runTop = new Int16Array(width).fill(NONE)
  // One cell more than there are, which stays background.
  const above = new Uint8Array(width)
  let from = 0
  let corner = 0
  for (let y = 0; y <= rows; y++) {
    let runLeft = NONE
    let edgeBefore = 0
    for (let x = 0; x < width; x++, corner++) {
      const below = x < columns && y < rows && (cells[from++]! & kinds) !== 0 ? 1 : 0
      const edge = above[x]! ^ below
      above[x] = below
      if (edge === edgeBefore) continue
      edgeBefore = edge
      if (runLeft === NONE) {
        runLeft = x
        starts.push(corner)
      } else {
        across[corner - x + runLeft] = x
        across[corner] = runLeft
        runLeft = NONE
      }
      const top = runTop[x]!
      if (top !== NONE) {
        down[top * width + x] = y
        down[corner] = top
      }
      runTop[x] = top === NONE ? y : NONE
    }
  }
  return { width, starts, across, down }
}

const NONE = -1
