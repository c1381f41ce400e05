import { describe, expect, test } from 'vitest'
import { drawBarcode } from './barcode.ts'
import type { BarcodeOptions } from './barcode.ts'
import { judgeBarcode } from './judge-barcode.ts'
import { judgeQr } from './judge-qr.ts'
import { drawFramedQr } from './captions.ts'
import type { QrOptions } from './qr.ts'

const text = 'https://example.com/a/fairly/normal/path?with=some&query=42x'
const logo = 'data:image/png;base64,iVBORw0KGgo='
const qr = (options: Partial<QrOptions>) => judgeQr(drawFramedQr({ text, ...options }))
const barcode = async (options: Partial<BarcodeOptions>) =>
  judgeBarcode(await drawBarcode({ text, ...options }))

describe('no warnings', () => {
  test.each<Partial<QrOptions>>([
    {},
    { pattern: 'dots' },
    { size: 200 },
    { color: '#757575', eyeColor: '#060' },
    { color: '#1d4ed8' },
    { color: '#dc2626', eyeStyle: 'rounded' },
    { logo, text: `https://example.com/${'a'.repeat(38)}` },
    { style: 'diamond', eyeStyle: 'circle', frame: 'Scan me' },
  ])('about a QR code with %j', (options) => expect(qr(options)).toEqual([]))

  test.each<Partial<BarcodeOptions>>([
    {},
    { caption: 'Menu' },
    { symbology: 'datamatrix' },
    { symbology: 'pdf417' },
    { symbology: 'aztec' },
    { color: '#003366' },
  ])('about a barcode with %j', async (options) => expect(await barcode(options)).toEqual([]))
})

describe('a QR code', () => {
  test.each<[Partial<QrOptions>, string]>([
    [{ color: '#ffff00' }, 'The colour #ffff00 on #ffffff has a contrast of 1:1: scanners need 4:1 or more'],
    [
      { eyeColor: '#cccccc' },
      'The eye colour #cccccc on #ffffff has a contrast of 1.6:1: scanners need 4:1 or more',
    ],
    [
      { color: '#fff', background: '#000' },
      'This code is light on dark: many scanners cannot read inverted codes',
    ],
    [
      { eyeColor: '#fff', color: '#000', background: '#777' },
      'This code is light on dark: many scanners cannot read inverted codes',
    ],
    [
      { color: '#000000', eyeColor: '#a13b90', background: '#09f718' },
      'On #09f718, #a13b90 is too pale beside #000000: scanners may not see it',
    ],
    [
      { color: '#000', eyeColor: '#757575' },
      'The corner squares in #757575 on #ffffff are pale: scanners may not find them in poor light, choose a darker eye colour',
    ],
    [
      { color: '#000', background: '#3fb4a0' },
      'The corner squares in #000000 on #3fb4a0 are pale: scanners may not find them in poor light, choose a lighter background',
    ],
    [
      { logo, text: `https://example.com/${'a'.repeat(39)}` },
      'This text is long for a code with a logo, and scanners may not read it: encode a short link, or remove the logo',
    ],
    [
      { logo, size: 200, text: 'https://example.com/abcdefgh' },
      'At 200 px each module is 4 px: with a logo choose a larger size, so that it is 5 px',
    ],
    [
      { logo, logoShare: 0.25, text: 'https://example.com/abcdefgh' },
      'The logo covers 21 % of the code: keep it under 12 %',
    ],
    [{ frame: 'W'.repeat(30) }, "The frame's text is too long for 300 px: it was drawn at 9.1 px"],
    [{ frame: 'Go 🎉' }, "The frame's text has 1 character that can only be shown as a box"],
    [{ margin: 0, size: 222 }, 'The margin is 0 modules wide: scanners need 4'],
    [{ text: 'a'.repeat(200), size: 200 }, 'At 200 px each module is 3 px: print this no smaller than 3 cm'],
  ])('%j: %s', (options, warning) => expect(qr(options)).toEqual([warning]))

  test('needs darker corner squares with wider modules', () => {
    const eyes = { color: '#000', eyeColor: '#5a5a5a' }
    expect(qr({ ...eyes, size: 300 })).toEqual([])
    expect(qr({ ...eyes, size: 500 })).toEqual([
      'The corner squares in #5a5a5a on #ffffff are pale: scanners may not find them in poor light, choose a darker eye colour',
    ])
    expect(qr({ color: '#1d4ed8', size: 400 })).toEqual([])
  })

  test('has no warning about its margin if the picture has room to spare', () => {
    expect(qr({ margin: 0, size: 300 })).not.toEqual([])
    expect(qr({ margin: 3, size: 300 })).toEqual([])
  })
})

describe('a barcode', () => {
  test.each<[Partial<BarcodeOptions>, string]>([
    [
      { color: '#cccccc' },
      'The colour #cccccc on #ffffff has a contrast of 1.6:1: scanners need 4:1 or more',
    ],
    [{ color: '#cc0000' }, 'Laser scanners see #cc0000 on #ffffff as one colour, because their light is red'],
    [
      { color: '#fff', background: '#000' },
      'This code is light on dark: many scanners cannot read inverted codes',
    ],
    [
      { text: 'a'.repeat(300) },
      'The thinnest bar is 1 px wide: print this no narrower than 84 cm, or use a Data Matrix code, which is far smaller',
    ],
    [{ size: 10 }, 'Bars 10 px high are hard to hit: use 20 px or more'],
    [{ size: 10, symbology: 'aztec' }, 'This code cannot be read at 10 px: it was drawn 62 px high instead'],
    [
      { caption: 'Menu', captionColor: '#dddddd' },
      'The text colour #dddddd on #ffffff has a contrast of 1.3:1: readers need 4:1 or more',
    ],
    [
      { text: 'https://a.b', caption: 'W'.repeat(50), captionSize: 80 },
      'The text is too long for 80 px: it was drawn at 10 px and the picture widened to 507 px',
    ],
    [
      { text: 'Café' },
      'Some scanners misread letters beyond ASCII in Code 128: use a Data Matrix, PDF417 or Aztec code',
    ],
    [{ caption: 'Party 🎉' }, 'The text has 1 character that can only be shown as a box'],
  ])('%j: %s', async (options, warning) => expect(await barcode(options)).toEqual([warning]))
})
