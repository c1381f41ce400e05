import { describe, expect, test } from 'vitest'
import { CodeError } from './code-error.ts'
import { EYE, GROUND } from './picture.ts'
import { drawFramedQr } from './captions.ts'
import { toSvg } from './svg.ts'

const text = 'https://example.com/menu'
const logo = 'data:image/png;base64,iVBORw0KGgo='

describe('layout', () => {
  test('modules have whole pixels and the rest widens the quiet zone, at every size and version', () => {
    for (const length of [10, 60, 200, 700, 2000]) {
      for (let size = 200; size <= 500; size += 7) {
        const { grid, qr, width } = drawFramedQr({ text: 'a'.repeat(length), size })
        expect(width).toBe(size)
        expect(Number.isInteger(grid.cellWidth) && Number.isInteger(grid.left)).toBe(true)
        expect(qr.quietModules).toBeGreaterThanOrEqual(4)
        // One pixel more per module would not fit.
        expect((qr.modules + 8) * (grid.cellWidth + 1)).toBeGreaterThan(size)
      }
    }
  })

  test('a margin that leaves less than a pixel per module still has the exact size', () => {
    const { grid, qr } = drawFramedQr({ text: 'a'.repeat(2000), size: 200, margin: 60 })
    expect(qr.modulePx).toBeLessThan(1)
    expect(2 * grid.left + qr.modules * qr.modulePx).toBeCloseTo(200, 9)
  })
})

test('only the three eyes have the colour of the eyes', () => {
  const { grid, qr } = drawFramedQr({ text })
  const inEye = (x: number, y: number) =>
    (x < 7 && y < 7) || (x < 7 && y >= qr.modules - 7) || (x >= qr.modules - 7 && y < 7)
  for (let y = 0; y < qr.modules; y++) {
    for (let x = 0; x < qr.modules; x++) {
      const cell = grid.cells[y * qr.modules + x]!
      if (cell !== GROUND) expect(cell === EYE).toBe(inEye(x, y))
    }
  }
  // A ring of 24 around a block of 9, three times.
  expect(grid.cells.filter((cell) => cell === EYE)).toHaveLength(3 * 33)
})

describe('frame', () => {
  test('the caption uses its font, and sans serif for missing letters', () => {
    const pathOf = (frame: string, frameFont: 'sans' | 'serif' | 'mono') => {
      const { caption, qr } = drawFramedQr({ text, frame, frameFont })
      expect(qr.frameBoxes).toBe(0)
      return caption?.path
    }
    expect(new Set(['sans', 'serif', 'mono'].map((font) => pathOf('Größe', font as 'sans'))).size).toBe(3)
    expect(pathOf('שלום', 'serif')).toBe(pathOf('שלום', 'sans'))
  })

  test('makes the picture higher, keeps the quiet zone inside it and the caption in its band', () => {
    for (const size of [200, 300, 471, 500]) {
      const { frame, caption, grid, qr, width, height } = drawFramedQr({ text, size, frame: 'Scan me' })
      expect([width, frame!.width, frame!.height]).toEqual([size, size, height])
      expect(height).toBeGreaterThan(size)
      expect(qr.quietModules).toBeGreaterThanOrEqual(4)
      expect(grid.left - frame!.border).toBeGreaterThanOrEqual(4 * qr.modulePx)
      const codeEnd = grid.top + qr.modules * qr.modulePx
      expect(height - frame!.band - codeEnd).toBeGreaterThanOrEqual(4 * qr.modulePx)
      expect(caption!.baseline).toBeGreaterThan(height - frame!.band)
      expect(caption!.baseline).toBeLessThan(height)
    }
  })

  test('shrinks a long caption to its width', () => {
    const { caption, width } = drawFramedQr({ text, frame: 'W'.repeat(50) })
    expect(caption!.left).toBeGreaterThanOrEqual(0.04 * width)
    expect(caption!.size).toBeLessThan(10)
  })

  test('is not drawn without a caption', () => {
    expect(drawFramedQr({ text, frame: ' \t' })).toEqual(drawFramedQr({ text }))
  })
})

test('shapes are drawn only if modules are large enough', () => {
  const large = { text, style: 'rounded', eyeStyle: 'circle' } as const
  expect(toSvg(drawFramedQr(large))).not.toBe(toSvg(drawFramedQr({ text })))
  const small = { text: 'a'.repeat(2000), size: 200 }
  const svg = toSvg(drawFramedQr({ ...small, style: 'rounded', eyeStyle: 'circle' }))
  expect(svg).not.toContain('q')
})

describe('logo', () => {
  test('does not change the level that a standard prescribes, and is smaller then', () => {
    expect(drawFramedQr({ text, size: 500 }).qr.level).toBe('H')
    expect(drawFramedQr({ text, size: 500, exactLevel: 'M' }).qr.level).toBe('M')
    const { qr } = drawFramedQr({ text: text.repeat(4), logo, exactLevel: 'M' })
    expect(qr.level).toBe('M')
    expect(qr.clearedShare).toBeLessThanOrEqual(0.035)
  })

  test('uses level H, is centred and clears at most its share', () => {
    const { qr, logo: placed, grid, width } = drawFramedQr({ text, logo })
    expect(qr.level).toBe('H')
    expect(qr.clearedShare).toBeGreaterThan(0.03)
    expect(qr.clearedShare).toBeLessThanOrEqual(0.1)
    const middle = grid.left + (qr.modules * qr.modulePx) / 2
    expect(placed!.left + placed!.size / 2).toBeCloseTo(middle, 9)
    expect(Math.abs(middle - width / 2)).toBeLessThan(1)
  })

  test('covers no modules', () => {
    const { qr, logo: placed, grid } = drawFramedQr({ text, logo, logoShare: 0.2 })
    const [from, to] = [placed!.left, placed!.left + placed!.size].map((px) => (px - grid.left) / qr.modulePx)
    for (let y = Math.floor(from!); y < to!; y++) {
      for (let x = Math.floor(from!); x < to!; x++) expect(grid.cells[y * qr.modules + x]).toBe(GROUND)
    }
  })

  test.each([
    'https://example.com/logo.png',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:text/html;base64,PGI+',
    'javascript:alert(1)',
    'data:image/png;base64,"/><script>',
  ])('refuses %s', (href) => expect(() => drawFramedQr({ text, logo: href })).toThrow(CodeError))
})

test.each([
  { text: '' },
  { text, size: 250.5 },
  { text, size: Number.NaN },
  { text, margin: -1 },
  { text, margin: 1.5 },
  { text, color: 'red' },
  { text, logo, logoShare: 0.41 },
])('refuses %j', (options) => expect(() => drawFramedQr(options)).toThrow(CodeError))

test('the same input gives the same bytes', () => {
  const options = { text, pattern: 'dots', logo, color: '#123456' } as const
  expect(toSvg(drawFramedQr(options))).toBe(toSvg(drawFramedQr(options)))
})

test('an ordinary code is a small file', () => {
  expect(
    toSvg(drawFramedQr({ text: 'https://example.com/a/fairly/normal/path?with=some&query=42' })).length,
  ).toBeLessThan(2500)
})
