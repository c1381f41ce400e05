import { describe, expect, test } from 'vitest'
import { drawBarcode } from './barcode.ts'
import { CodeError } from './code-error.ts'
import { toSvg } from './svg.ts'

const text = 'https://example.com/menu'
const SYMBOLOGIES = ['code128', 'datamatrix', 'pdf417', 'aztec'] as const

test('Code 128 has bars of the height asked, two pixels to the module and ten modules of quiet zone', () => {
  const { grid, width } = drawBarcode({ text, size: 73 })
  expect(grid).toMatchObject({ cellWidth: 2, cellHeight: 73, rows: 1, left: 20 })
  expect(width).toBe(grid.columns * 2 + 40)
})

test.each(SYMBOLOGIES)('%s stands on whole pixels at every size', (symbology) => {
  for (const size of [10, 33.5, 100, 300]) {
    const { grid, width, height } = drawBarcode({ text, symbology, size })
    for (const px of [width, height, grid.left, grid.top, grid.cellWidth, grid.cellHeight]) {
      expect(Number.isInteger(px)).toBe(true)
    }
    expect(grid.left + grid.columns * grid.cellWidth).toBeLessThan(width)
    expect(grid.top + grid.rows * grid.cellHeight).toBeLessThan(height)
  }
})

describe('long addresses', () => {
  test('narrow their bars before they are refused', () => {
    expect(drawBarcode({ text: 'a'.repeat(170) }).grid.cellWidth).toBe(2)
    const long = drawBarcode({ text: 'a'.repeat(340) })
    expect(long.grid.cellWidth).toBe(1)
    expect(long.width).toBeLessThanOrEqual(4000)
  })

  test.each([
    ['code128', 400],
    ['code128', 2048],
    ['datamatrix', 2048],
    ['pdf417', 2048],
    ['aztec', 2048],
  ] as const)('%s of %i characters says what to do', (symbology, length) => {
    const draw = () => drawBarcode({ text: 'https://example.com/'.padEnd(length, 'aB/c?d=x1'), symbology })
    expect(draw).toThrow(CodeError)
    expect(draw).toThrow(/dynamic/)
  })
})

describe('caption', () => {
  test('makes room above or below', () => {
    const bare = drawBarcode({ text })
    const above = drawBarcode({ text, caption: 'Menu', captionPosition: 'top' })
    const below = drawBarcode({ text, caption: 'Menu' })
    expect(above.height).toBe(below.height)
    expect(below.height).toBeGreaterThan(bare.height + 20)
    expect(below.grid.top).toBe(bare.grid.top)
    expect(above.caption!.baseline).toBeLessThan(above.grid.top)
    expect(below.caption!.baseline).toBeGreaterThan(below.grid.top + 100)
  })

  test('too wide shrinks to the picture', () => {
    const picture = drawBarcode({ text, caption: 'W'.repeat(50), captionSize: 80 })
    expect(picture.barcode).toMatchObject({ captionAsked: 80, widened: false })
    expect(picture.barcode.captionDrawn).toBeLessThan(80)
    expect(picture.caption!.left).toBeGreaterThanOrEqual(0)
  })

  test('never below ten pixels: then the picture widens, and the bars stay in its middle', () => {
    const picture = drawBarcode({ text: 'https://a.b', caption: 'W'.repeat(50), captionSize: 80 })
    expect(picture.barcode).toMatchObject({ captionDrawn: 10, widened: true })
    const { grid, width } = picture
    expect(Math.abs(grid.left + (grid.columns * grid.cellWidth) / 2 - width / 2)).toBeLessThanOrEqual(1)
  })

  test.each(['', ' ', '\n\t'])('%j draws nothing', (caption) => {
    expect(toSvg(drawBarcode({ text, caption }))).toBe(toSvg(drawBarcode({ text })))
  })
})

test.each([
  { text: '' },
  { text, size: Number.NaN },
  { text, size: 0 },
  { text, captionSize: 0 },
  { text, color: '#12' },
])('refuses %j', (options) => expect(() => drawBarcode(options)).toThrow(CodeError))
