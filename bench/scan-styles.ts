import { EYE_STYLES, QR_STYLES } from '@waymark/codes'
import sharp from 'sharp'
import { multipart, type Part, post } from '../e2e/support/requests.ts'
import { startWaymark } from '../e2e/support/waymark.ts'
import { needScanners } from '../scripts/services/scanners.ts'

/*
 * How many QR codes in random styles Debian's ZXing and ZBar read: as the server returns them, blurred, tilted and
 * noisy. The styles are those of a fixed seed: every shape, colours, sizes, half of them with a logo. Codes with a
 * warning are counted and left out.
 *
 *     npm run -s node bench/scan-styles.ts [count] [seed] [size]
 */

const [count = 500, seed = 20_261_118, fixedSize] = process.argv.slice(2).map(Number)

let state = seed
/** Mulberry32: the same numbers everywhere. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
const upTo = (limit: number): number => Math.floor(random() * limit)
const oneOf = <T>(choices: readonly T[]): T => choices[upTo(choices.length)]!
const gaussian = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
/** A dark colour for ink, or a pale one for the background. */
const hex = (from: number, to: number): string =>
  `#${Array.from({ length: 3 }, () => (from + upTo(to - from)).toString(16).padStart(2, '0')).join('')}`

async function logoOf(): Promise<Buffer> {
  const [width, height] = [40 + upTo(300), 40 + upTo(300)]
  const plain = { width, height, channels: 3 as const, background: hex(0, 256) }
  const noise = { type: 'gaussian', mean: 60 + upTo(140), sigma: 10 + upTo(70) } as const
  return sharp({ create: random() < 0.4 ? { ...plain, noise } : plain })
    .png()
    .toBuffer()
}

/** The fields of a code in a random style. */
function style(): Record<string, string> {
  const path = Array.from({ length: 4 + upTo(56) }, () =>
    oneOf(Array.from('abcdefghijklmnopqrstuvwxyz0123456789-/')),
  )
  return {
    url: `https://example.com/${path.join('')}`,
    size: String(fixedSize ?? 200 + upTo(301)),
    color: random() < 0.25 ? '#000000' : hex(0, 128),
    ...(random() < 0.5 && { eye_color: hex(0, 128) }),
    background: random() < 0.5 ? '#ffffff' : hex(200, 256),
    pattern: oneOf(['squares', 'dots']),
    eye_style: oneOf(EYE_STYLES),
    ...(random() < 0.66 && { style: oneOf(QR_STYLES) }),
    ...(random() < 0.25 && { frame: 'Scan me' }),
  }
}

const rgb = (png: Buffer) => sharp(png).removeAlpha().toColourspace('srgb')
const turned = (degrees: number) => (png: Buffer) =>
  rgb(png).rotate(degrees, { background: '#ffffff' }).png().toBuffer()

/** The same noise in each channel, or another. */
const noisy =
  (sigma: number, isGrey = false) =>
  async (png: Buffer): Promise<Buffer> => {
    const { data, info } = await rgb(png).raw().toBuffer({ resolveWithObject: true })
    for (let at = 0, shared = 0; at < data.length; at++) {
      if (at % 3 === 0 || !isGrey) shared = gaussian()
      data[at] = Math.max(0, Math.min(255, Math.round(data[at]! + shared * sigma)))
    }
    const { width, height, channels } = info
    return sharp(data, { raw: { width, height, channels } }).png().toBuffer()
  }

const DEGRADED: Record<string, (png: Buffer) => Promise<Buffer>> = {
  plain: async (png) => png,
  'blurred, 1 px': (png) => rgb(png).blur(1).png().toBuffer(),
  'blurred, 2 px': (png) => rgb(png).blur(2).png().toBuffer(),
  'turned 15°': turned(15),
  'turned 20°': turned(20),
  'sheared and turned 17°': async (png) => {
    const sheared = rgb(png).affine([1, 0.12, 0.05, 0.9], { background: '#ffffff', interpolator: 'bicubic' })
    return turned(17)(await sheared.png().toBuffer())
  },
  'noise, sigma 10': noisy(10),
  'noise, sigma 15': noisy(15),
  'noise, sigma 25': noisy(25),
  'grey noise, sigma 10': noisy(10, true),
}

const { zxing, zbar } = await needScanners()
const waymark = await startWaymark()
const account = await waymark.account()
const read = Object.fromEntries(Object.keys(DEGRADED).map((name) => [name, { zxing: 0, zbar: 0, both: 0 }]))
const letters: Record<string, number> = {}
let [made, drawn] = [0, 0]

while (drawn < count) {
  const fields = style()
  const hasLogo = made++ % 2 === 1
  const parts: Part[] = Object.entries(fields).map(([name, value]) => ({ name, value }))
  if (hasLogo) parts.push({ name: 'logo', value: await logoOf(), filename: 'logo.png', type: 'image/png' })
  const { status, body } = await post(waymark, account, '/v1/generate-qr', multipart(parts))
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { warnings, grade, image_url, encodes } = body.data
  if (warnings.length > 0) continue
  drawn++
  letters[grade.letter] = (letters[grade.letter] ?? 0) + 1
  const png = Buffer.from(await (await fetch(image_url)).arrayBuffer())
  for (const [name, degrade] of Object.entries(DEGRADED)) {
    const degraded = await degrade(png)
    const isRead = (await Promise.all([zxing(degraded), zbar(degraded)])).map((text) => text === encodes)
    const tally = read[name]!
    if (isRead[0]) tally.zxing++
    if (isRead[1]) tally.zbar++
    if (isRead[0] && isRead[1]) tally.both++
    else if (process.env['VERBOSE'] === '1')
      console.log(name, isRead, hasLogo ? 'logo' : '', JSON.stringify(fields))
  }
}
await waymark.stop()
console.table(read)
console.log({ codes: drawn, withWarnings: made - drawn, seed, letters })
