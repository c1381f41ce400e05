import { expect, test } from 'vitest'
import { drawQr } from './qr.ts'
import { readQr } from './reader.ts'

/** A plain picture with two colours as pixels. */
const pixelsOf = (text: string, size: number) => {
  const { grid } = drawQr({ text, size })
  const data = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [at, cell] of grid.cells.entries()) {
    if (cell === 0) continue
    const left = grid.left + (at % grid.columns) * grid.cellWidth
    const top = grid.top + Math.floor(at / grid.columns) * grid.cellHeight
    for (let y = top; y < top + grid.cellHeight; y++)
      for (let x = left; x < left + grid.cellWidth; x++) data.set([0, 0, 0], (y * size + x) * 4)
  }
  return { width: size, height: size, data }
}

test.each(['https://example.com/menu?table=7', 'ünïcode, 日本'])('reads %s', (text) =>
  expect(readQr(pixelsOf(text, 300))).toBe(text),
)

test('finds nothing in an empty picture, nor in a code without one of its eyes', () => {
  const size = 300
  expect(readQr({ width: size, height: size, data: new Uint8ClampedArray(size * size * 4).fill(255) })).toBe(
    undefined,
  )
  const damaged = pixelsOf('https://example.com/', size)
  for (let y = 0; y < size / 2; y++) damaged.data.fill(255, y * size * 4, (y * size + size / 2) * 4)
  expect(readQr(damaged)).toBe(undefined)
})
