// How fast codes are drawn, beside the libraries that most projects use. Run: npm run -s node bench/codes.ts
//
// Both sides are measured in turns of 50 ms within one run, and the middle of all turns counts, so that whatever
// else the machine does meets both alike.
import { toSVG } from '@bwip-js/node'
import { drawQr, toSvg } from '@waymark/codes'
import { drawBarcode } from '@waymark/codes/barcodes'
import QRCode from 'qrcode'
import { plainPngSync } from '../packages/server/src/imaging/codes/plain-png.ts'

const TURNS = 25
const TURN_MS = 50

type Work = () => unknown

async function turn(work: Work): Promise<number> {
  const begin = performance.now()
  let done = 0
  while (performance.now() - begin < TURN_MS) {
    await work()
    done++
  }
  return (done * 1000) / (performance.now() - begin)
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function compare(what: string, ours: Work, theirName: string, theirs: Work): Promise<void> {
  await turn(ours)
  await turn(theirs)
  const rates: [number[], number[]] = [[], []]
  for (let at = 0; at < TURNS; at++) {
    rates[0].push(await turn(ours))
    rates[1].push(await turn(theirs))
  }
  const [own, other] = [middle(rates[0]), middle(rates[1])]
  const figures = `${Math.round(own)}/s against ${Math.round(other)}/s by ${theirName}`
  console.log(`${what.padEnd(42)} ${(own / other).toFixed(1).padStart(6)} times   ${figures}`)
}

const address = (length: number) =>
  'https://example.com/a/path?with=a&query=42'.padEnd(length, '/aB3-xY9').slice(0, length)

for (const length of [40, 200]) {
  const text = address(length)
  await compare(
    `QR code as SVG, ${length} characters, level H`,
    () => toSvg(drawQr({ text, level: 'H' })),
    'qrcode',
    () => QRCode.toString(text, { type: 'svg', errorCorrectionLevel: 'H' }),
  )
}

for (const length of [40, 200]) {
  const text = address(length)
  await compare(
    `Plain QR code as PNG, ${length} characters, 300 px`,
    () => plainPngSync(drawQr({ text, size: 300, level: 'H' })),
    'qrcode',
    () => QRCode.toBuffer(text, { type: 'png', width: 300, errorCorrectionLevel: 'H' }),
  )
}

for (const [symbology, bcid] of [
  ['code128', 'code128'],
  ['datamatrix', 'datamatrix'],
] as const) {
  const text = address(40)
  await compare(
    `Barcode as SVG, ${symbology}, 40 characters`,
    async () => toSvg(await drawBarcode({ text, symbology })),
    'bwip-js',
    () => toSVG({ bcid, text }),
  )
  await compare(
    `Barcode as SVG, ${symbology}, with a caption`,
    async () => toSvg(await drawBarcode({ text, symbology, caption: 'Table 7' })),
    'bwip-js',
    () => toSVG({ bcid, text, includetext: true, alttext: 'Table 7' }),
  )
}
