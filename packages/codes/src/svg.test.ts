import * as fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { layoutBarcode } from './barcode.ts'
import { captionFont } from './caption.ts'
import { encodeLinear } from './bars.ts'
import { drawQr } from './qr.ts'
import { toSvg } from './svg.ts'

interface Parsed {
  names: string[]
  attributes: string[]
  title: string
}

/** Parses strictly: anything that is not well-formed XML throws. */
function parse(svg: string): Parsed {
  const parsed: Parsed = { names: [], attributes: [], title: '' }
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    parsed.names.push(name)
    parsed.attributes.push(...Object.keys(attributes))
  })
  parser.on('text', (text) => (parsed.title += text))
  parser.write(svg).close()
  return parsed
}

const HARMLESS = new Set(['svg', 'title', 'rect', 'path', 'image'])

// Any UTF-16 at all: lone surrogates, control characters, right-to-left text, emoji, markup.
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 50 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    ']]></title><script>alert(1)</script>',
    '"\'<>&',
    '&amp;',
    '<!--',
    'שלום (abc) 123',
    'مرحبا',
    '👩‍👩‍👧',
  ),
)

test('no caption breaks the SVG or injects markup', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.integer({ min: 10, max: 80 }),
      fc.constantFrom<'top' | 'bottom'>('top', 'bottom'),
      (caption, size, at) => {
        const text = 'https://a.bc/d'
        const options = { text, caption, captionSize: size, captionPosition: at }
        const picture = layoutBarcode(options, encodeLinear(text, 'code128'), captionFont)
        const { names } = parse(toSvg(picture))
        expect(names.filter((name) => !HARMLESS.has(name))).toEqual([])
      },
    ),
    { numRuns: 1000 },
  )
})

// oxlint-disable-next-line no-control-regex -- characters that are not valid in XML
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

test('the title is the text itself, for any text', () => {
  fc.assert(
    fc.property(anyText, (title) => {
      const svg = toSvg(drawQr({ text: 'https://a.bc/d', title }))
      const shown = title.toWellFormed().replace(NOT_XML, '\uFFFD')
      expect(parse(svg).title).toBe(shown.replace(/\r\n?/g, '\n'))
    }),
    { numRuns: 500 },
  )
})

test('an SVG has exact pixel size, a role, and no attribute that could run', () => {
  const svg = toSvg(
    drawQr({ text: 'https://a.bc/d', size: 321, logo: 'data:image/png;base64,AAAA', pattern: 'dots' }),
  )
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="321" height="321" viewBox="0 0 321 321" role="img"><title>/,
  )
  const { names, attributes } = parse(svg)
  expect(names).toEqual(['svg', 'title', 'rect', 'path', 'path', 'image'])
  expect(attributes.filter((name) => name.startsWith('on') || name.includes(':'))).toEqual([])
})

test('scale changes the size on screen, not the drawing', () => {
  const picture = drawQr({ text: 'https://a.bc/d', size: 200 })
  expect(toSvg(picture, 3)).toBe(
    toSvg(picture).replace('width="200" height="200" view', 'width="600" height="600" view'),
  )
})
