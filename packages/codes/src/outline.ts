import type { Grid } from './picture.ts'

/**
 * The cells of the wanted kinds as one even-odd path, a unit to the cell.
 *
 * An edge lies wherever two neighbours differ. Maximal straight runs of edges end only where exactly one
 * horizontal and one vertical run meet, so walking them in turn closes every loop with the fewest commands.
 */
export function outline(grid: Grid, kinds: number): string {
  const across = horizontalRuns(grid, kinds)
  const down = verticalRuns(grid, kinds)
  const width = grid.columns + 1
  let path = ''
  for (let start = 0; start < across.length; start++) {
    if (across[start] === NONE) continue
    let x = start % width
    let y = (start - x) / width
    path += `M${x} ${y}`
    let corner = start
    for (;;) {
      const nextX = across[corner]!
      across[corner] = NONE
      across[y * width + nextX] = NONE
      path += `h${nextX - x}`
      x = nextX
      const nextY = down[y * width + x]!
      corner = nextY * width + x
      if (corner === start) break
      path += `v${nextY - y}`
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

const NONE = -1

/** For both ends of each run of horizontal edges: the column of its other end. */
function horizontalRuns({ columns, rows, cells }: Grid, kinds: number): Int16Array {
  const width = columns + 1
  const ends = new Int16Array(width * (rows + 1)).fill(NONE)
  for (let y = 0; y <= rows; y++) {
    let begin = NONE
    for (let x = 0; x <= columns; x++) {
      const above = y > 0 && x < columns && (cells[(y - 1) * columns + x]! & kinds) !== 0
      const below = y < rows && x < columns && (cells[y * columns + x]! & kinds) !== 0
      if (above !== below) {
        if (begin === NONE) begin = x
      } else if (begin !== NONE) {
        ends[y * width + begin] = x
        ends[y * width + x] = begin
        begin = NONE
      }
    }
  }
  return ends
}

/** For both ends of each run of vertical edges: the row of its other end. */
function verticalRuns({ columns, rows, cells }: Grid, kinds: number): Int16Array {
  const width = columns + 1
  const ends = new Int16Array(width * (rows + 1)).fill(NONE)
  for (let x = 0; x <= columns; x++) {
    let begin = NONE
    for (let y = 0; y <= rows; y++) {
      const left = x > 0 && y < rows && (cells[y * columns + x - 1]! & kinds) !== 0
      const right = x < columns && y < rows && (cells[y * columns + x]! & kinds) !== 0
      if (left !== right) {
        if (begin === NONE) begin = y
      } else if (begin !== NONE) {
        ends[begin * width + x] = y
        ends[y * width + x] = begin
        begin = NONE
      }
    }
  }
  return ends
}
