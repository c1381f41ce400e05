import { expect, test } from 'vitest'
import { drawBarcode } from './barcode.ts'
import type { BarcodeOptions } from './barcode.ts'
import { drawFramedQr } from './captions.ts'
import type { QrOptions } from './qr.ts'
import { toSvg } from './svg.ts'

// Each was inspected by eye when it was created. `vitest run -u` rewrites them: inspect them again.
const text = 'https://example.com/menu?table=7'
// A red disc with a hole.
const logo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAMFBMVEVMaXHMAADMAADMAADMAADMAADMAADMAADMAAD////gYGDSGxv98/PxtbX42Njrm5vvf0/KAAAACHRSTlMAylcu8n2a3bN60pgAAAAJcEhZcwAACxMAAAsTAQCanBgAAAFbSURBVEjHY2AgBTCFiXu0FKYq4JBmDuyAAlEDrNolOuCgEYshTBUdSKAdQwWzRAcKaES3JaMDDbShyht2YABhFAs8MBW0IFui0oEFOCH5oAMrQPjEBLsCZ3wuQHEFYwcOIIArDNDCgrkDJzDAbwPMDg3cCprACipwK2jHE0qIsEJ2QvfaN+du7UBzhAWS/M+ZQDAXSUUzUEEEgrtmJhicQoi0AhUgklLXTChYgUhYQAUI5SthCmYhxJA90X0SpmDODiRvsMLZ/TPh4AdcMICBDc7eiVAwGy6YgBQMKxEKZiEFBDucfROhYC5csICBBc5+iVAwDy7owMABZ59EKJhDigKCVhB0JEFvEgwogkFNMLIIRjfhBEMwyWEk2vloiZZgsieYcQhmPcKZl2D2J1iAECyCCBdiBItBggUp4aKYYGFOuDogWKEQrpIIV2oEq0XCFSvhqplw5Y4dAAA4+y/wLoLmlgAAAABJRU5ErkJggg=='

const QR_CODES: Record<string, QrOptions> = {
  'qr-plain': { text },
  'qr-500-long': { text: text.padEnd(400, '/abc'), size: 500 },
  'qr-200-colours': { text, size: 200, color: '#003366', eyeColor: '#aa0000', background: '#ffeecc' },
  'qr-dots': { text, pattern: 'dots', eyeColor: '#aa0000' },
  'qr-logo': { text, logo },
  'qr-dots-logo': { text, pattern: 'dots', logo, size: 400, color: '#222266' },
  'qr-rounded': { text, style: 'rounded', eyeStyle: 'rounded' },
  'qr-classy': { text, style: 'classy', eyeStyle: 'circle', color: '#14532d' },
  'qr-diamond': { text, style: 'diamond', eyeColor: '#7c2d12' },
  'qr-bars-frame': { text, style: 'bars', eyeStyle: 'circle', frame: 'Scan me', color: '#1e3a8a' },
  'qr-rounded-logo-frame': {
    text,
    style: 'rounded',
    eyeStyle: 'rounded',
    frame: 'מחיר 12.50',
    logo,
    size: 400,
  },
  'qr-margin-1': { text, margin: 1, size: 233 },
}

const BARCODES: Record<string, BarcodeOptions> = {
  'code128-plain': { text },
  'code128-caption': { text, caption: 'Summer sale – “50 % off” & more <b>', captionColor: '#aa3300' },
  'code128-top-rtl': { text, caption: 'שלום (world) 123 مرحبا', captionPosition: 'top', captionSize: 40 },
  'code128-emoji': { text, caption: 'Party 🎉 in 東京', size: 40, color: '#003366' },
  'datamatrix-caption': { text, symbology: 'datamatrix', caption: 'Menu', size: 150 },
  'pdf417-plain': { text, symbology: 'pdf417' },
  'ean13-caption': { text: '400638133393', symbology: 'ean13', caption: '4 006381 333931' },
  'itf14-plain': { text: '1234567890123', symbology: 'itf14' },
  'code39-caption': { text: 'SKU-12345', symbology: 'code39', caption: 'SKU-12345', size: 60 },
  'aztec-plain': { text, symbology: 'aztec', size: 300 },
}

test.each(Object.entries(QR_CODES))('%s', async (name, options) => {
  await expect(toSvg(drawFramedQr(options))).toMatchFileSnapshot(`../golden/${name}.svg`)
})

test.each(Object.entries(BARCODES))('%s', async (name, options) => {
  await expect(toSvg(await drawBarcode(options))).toMatchFileSnapshot(`../golden/${name}.svg`)
})
