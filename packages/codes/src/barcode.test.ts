import { describe, expect, test } from 'vitest'
import { drawBarcode } from './barcode.ts'
import { CodeError } from './code-error.ts'
import { toSvg } from './svg.ts'
import { SYMBOLOGIES, type Symbology } from './symbology.ts'

const text = 'https://example.com/menu'
/** A text that each symbology can encode. */
const textFor = (symbology: Symbology): string =>
  ({
    ean13: '400638133393',
    ean8: '9031101',
    upca: '03600029145',
    itf14: '1234567890123',
    code39: 'SKU-12345',
    'gs1-128': '(01)09506000134352(10)AB12',
    'gs1-datamatrix': '(01)09506000134352(10)AB12',
  })[symbology as string] ?? text

test('Code 128 has bars of the requested height, two pixels per module and ten modules of quiet zone', async () => {
  const { grid, width } = await drawBarcode({ text, size: 73 })
  expect(grid).toMatchObject({ cellWidth: 2, cellHeight: 73, rows: 1, left: 20 })
  expect(width).toBe(grid.columns * 2 + 40)
})

test.each(SYMBOLOGIES)('%s has whole-pixel modules at every size', async (symbology) => {
  for (const size of [10, 33.5, 100, 300]) {
    const { grid, width, height } = await drawBarcode({ text: textFor(symbology), symbology, size })
    for (const px of [width, height, grid.left, grid.top, grid.cellWidth, grid.cellHeight]) {
      expect(Number.isInteger(px)).toBe(true)
    }
    expect(grid.left + grid.columns * grid.cellWidth).toBeLessThan(width)
    expect(grid.top + grid.rows * grid.cellHeight).toBeLessThan(height)
  }
})

describe('long addresses', () => {
  test('get narrower bars before they are rejected', async () => {
    expect((await drawBarcode({ text: 'a'.repeat(170) })).grid.cellWidth).toBe(2)
    const long = await drawBarcode({ text: 'a'.repeat(340) })
    expect(long.grid.cellWidth).toBe(1)
    expect(long.width).toBeLessThanOrEqual(4000)
  })

  test.each([
    ['code128', 400],
    ['code128', 2048],
    ['datamatrix', 2048],
    ['pdf417', 2048],
    ['aztec', 2048],
  ] as const)('%s of %i characters says what to do', async (symbology, length) => {
    const draw = () => drawBarcode({ text: 'https://example.com/'.padEnd(length, 'aB/c?d=x1'), symbology })
    await expect(draw()).rejects.toThrow(CodeError)
    await expect(draw()).rejects.toThrow(/dynamic/)
  })
})

describe('caption', () => {
  test('makes room above or below', async () => {
    const bare = await drawBarcode({ text })
    const above = await drawBarcode({ text, caption: 'Menu', captionPosition: 'top' })
    const below = await drawBarcode({ text, caption: 'Menu' })
    expect(above.height).toBe(below.height)
    expect(below.height).toBeGreaterThan(bare.height + 20)
    expect(below.grid.top).toBe(bare.grid.top)
    expect(above.caption!.baseline).toBeLessThan(above.grid.top)
    expect(below.caption!.baseline).toBeGreaterThan(below.grid.top + 100)
  })

  test('shrinks if it is wider than the picture', async () => {
    const picture = await drawBarcode({ text, caption: 'W'.repeat(50), captionSize: 80 })
    expect(picture.barcode).toMatchObject({ captionAsked: 80, widened: false })
    expect(picture.barcode.captionDrawn).toBeLessThan(80)
    expect(picture.caption!.left).toBeGreaterThanOrEqual(0)
  })

  test('never shrinks below ten pixels: then the picture widens, with the bars in the middle', async () => {
    const picture = await drawBarcode({ text: 'https://a.b', caption: 'W'.repeat(50), captionSize: 80 })
    expect(picture.barcode).toMatchObject({ captionDrawn: 10, widened: true })
    const { grid, width } = picture
    expect(Math.abs(grid.left + (grid.columns * grid.cellWidth) / 2 - width / 2)).toBeLessThanOrEqual(1)
  })

  test.each(['', ' ', '\n\t'])('%j draws nothing', async (caption) => {
    expect(toSvg(await drawBarcode({ text, caption }))).toBe(toSvg(await drawBarcode({ text })))
  })
})

test.each([
  { text: '' },
  { text, size: Number.NaN },
  { text, size: 0 },
  { text, captionSize: 0 },
  { text, color: '#12' },
])('refuses %j', (options) => expect(drawBarcode(options)).rejects.toThrow(CodeError))
