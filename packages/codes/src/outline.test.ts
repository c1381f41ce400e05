import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dots, outline } from './outline.ts'
import type { Grid } from './picture.ts'
import { roundedOutline } from './rounded-outline.ts'

function gridOf(columns: number, cells: readonly number[]): Grid {
  const rows = cells.length / columns
  return { columns, rows, cells: Uint8Array.from(cells), left: 0, top: 0, cellWidth: 1, cellHeight: 1 }
}

/** Fills a path of M, h, v and z with the even-odd rule: a cell is inside if the number of edges to its left is odd. */
function fill(path: string, columns: number, rows: number): number[] {
  const crossings = new Uint8Array((columns + 1) * rows)
  for (const loop of path.split('z').filter((part) => part !== '')) {
    const [, startX = '', startY = '', commands = ''] = /^M(\d+) (\d+)(.*)$/.exec(loop) ?? []
    let [x, y] = [Number(startX), Number(startY)]
    const walkTo = (toY: number) => {
      for (let row = Math.min(y, toY); row < Math.max(y, toY); row++) crossings[row * (columns + 1) + x]! ^= 1
      y = toY
    }
    for (const [, letter, amount] of commands.matchAll(/([hv])(-?\d+)/g)) {
      if (letter === 'h') x += Number(amount)
      else walkTo(y + Number(amount))
    }
    expect(x).toBe(Number(startX))
    walkTo(Number(startY))
  }
  const cells: number[] = []
  for (let row = 0; row < rows; row++) {
    let inside = 0
    for (let column = 0; column < columns; column++) {
      inside ^= crossings[row * (columns + 1) + column]!
      cells.push(inside)
    }
  }
  return cells
}

const anyGrid = fc
  .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 }))
  .chain(([columns, rows]) =>
    fc
      .array(fc.integer({ min: 0, max: 2 }), { minLength: columns * rows, maxLength: columns * rows })
      .map((cells) => gridOf(columns, cells)),
  )

test('filling the outline restores any cells', () => {
  fc.assert(
    fc.property(anyGrid, fc.constantFrom(1, 2, 3), (grid, kinds) => {
      const wanted = [...grid.cells].map((cell) => ((cell & kinds) === 0 ? 0 : 1))
      expect(fill(outline(grid, kinds), grid.columns, grid.rows)).toEqual(wanted)
    }),
    { numRuns: 500 },
  )
})

const square = { convex: [0, 0, 0, 0], concave: 0 } as const

test('without round corners the rounded outline has the same cells', () => {
  fc.assert(
    fc.property(anyGrid, fc.constantFrom(1, 2, 3), (grid, kinds) => {
      const wanted = [...grid.cells].map((cell) => ((cell & kinds) === 0 ? 0 : 1))
      expect(fill(roundedOutline(grid, kinds, square), grid.columns, grid.rows)).toEqual(wanted)
    }),
    { numRuns: 500 },
  )
})

test('cells that touch at a corner are separate loops, and only the requested corners are round', () => {
  const diagonal = gridOf(2, [1, 0, 0, 1])
  expect(roundedOutline(diagonal, 1, square)).toBe('M0 0h1v1h-1zM1 1h1v1h-1z')
  const leaf = { convex: [0.5, 0, 0.5, 0], concave: 0 } as const
  expect(roundedOutline(gridOf(1, [1]), 1, leaf)).toBe('M0 0.5q0-0.5 0.5-0.5h0.5v0.5q0 0.5-0.5 0.5h-0.5z')
  const nook = roundedOutline(gridOf(2, [1, 0, 1, 1]), 1, { convex: [0, 0, 0, 0], concave: 0.25 })
  expect(nook).toBe('M0 0h1v0.75q0 0.25 0.25 0.25h0.75v1h-2z')
})

test('a block is one loop, a ring two, and nothing is no path', () => {
  expect(outline(gridOf(2, [1, 1, 1, 1]), 1)).toBe('M0 0h2v2h-2z')
  expect(outline(gridOf(3, [1, 1, 1, 1, 0, 1, 1, 1, 1]), 1)).toBe('M0 0h3v3h-3zM1 1h1v1h-1z')
  expect(outline(gridOf(2, [0, 0]), 1)).toBe('')
})

test('every requested cell is one dot', () => {
  expect(dots(gridOf(3, [1, 0, 1, 0, 2, 0]), 1)).toBe('M0 0h0m2 0h0')
  expect(dots(gridOf(3, [1, 0, 1, 0, 2, 0]), 3)).toBe('M0 0h0m2 0h0M1 1h0')
})
