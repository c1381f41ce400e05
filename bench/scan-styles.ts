import { EYE_STYLES, QR_STYLES } from '@waymark/codes'
import { drawFramedQr } from '@waymark/codes/captions'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { cpuSeconds } from '../e2e/support/isolation.ts'
import { multipart, type Part, post } from '../e2e/support/requests.ts'
import { startWaymark } from '../e2e/support/waymark.ts'
import { needProgram } from '../scripts/services/programs.ts'

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

/** A Gaussian to its end; without the amplitude the library cuts it off. */
const outOfFocus = (sigma: number) => (png: Buffer, modulePx: number) =>
  rgb(png)
    .blur({ sigma: sigma * modulePx, minAmplitude: 0.01 })
    .png()
    .toBuffer()

/** The mean of a square. */
const averaged = (modules: number) => (png: Buffer, modulePx: number) => {
  const side = 2 * Math.round((modules * modulePx - 1) / 2) + 1
  const kernel = Array.from({ length: side ** 2 }, () => 1)
  return rgb(png).convolve({ width: side, height: side, kernel }).png().toBuffer()
}

const DEGRADED: Record<string, (png: Buffer, modulePx: number) => Promise<Buffer>> = {
  plain: async (png) => png,
  'blurred by 2/3 module (sigma 1/3)': outOfFocus(1 / 3),
  'blurred, sigma 2/3 module': outOfFocus(2 / 3),
  'averaged over 2/3 module': averaged(2 / 3),
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

/** The programs read all pictures at once: to start them for each takes longer than to read it. */
const READERS = [
  [await needProgram(['ZXingReader'], 'zxing-cpp-tools'), ['-1']],
  [await needProgram(['zbarimg'], 'zbar-tools'), ['-q', '--raw']],
] as const

/** The texts that a program finds in files, none of which holds a quotation mark. */
async function textsOf([program, options]: (typeof READERS)[number], files: string[]): Promise<Set<string>> {
  const reading = promisify(execFile)(program, [...options, ...files], { maxBuffer: 2 ** 26 })
  // The exit code says that some files hold nothing.
  const { stdout } = await reading.catch((error: { stdout: string }) => error)
  return new Set(stdout.split('\n').map((line) => /"(.*)"$/.exec(line)?.[1] ?? line))
}

const waymark = await startWaymark()
const account = await waymark.account()
const folder = await mkdtemp(join(tmpdir(), 'waymark-styles-'))
const folderOf = (name: string): string => join(folder, name.replaceAll('/', ' of '))
const codes: { text: string; look: string }[] = []
const letters: Record<string, number> = {}
const cpuBefore = await cpuSeconds(waymark)
let made = 0

while (codes.length < count) {
  const fields = style()
  const hasLogo = made++ % 2 === 1
  const parts: Part[] = Object.entries(fields).map(([name, value]) => ({ name, value }))
  if (hasLogo) parts.push({ name: 'logo', value: await logoOf(), filename: 'logo.png', type: 'image/png' })
  const { status, body } = await post(waymark, account, '/v1/generate-qr', multipart(parts))
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { warnings, grade, image_url, encodes, size, frame } = body.data
  if (warnings.length > 0) continue
  letters[grade.letter] = (letters[grade.letter] ?? 0) + 1
  const png = Buffer.from(await (await fetch(image_url)).arrayBuffer())
  const look = {
    text: encodes,
    size,
    ...(frame !== null && { frame }),
    ...(hasLogo && { level: 'H' as const }),
  }
  const { modulePx } = drawFramedQr(look).qr
  for (const [name, degrade] of Object.entries(DEGRADED)) {
    await mkdir(folderOf(name), { recursive: true })
    await writeFile(join(folderOf(name), `${codes.length}.png`), await degrade(png, modulePx))
  }
  codes.push({ text: encodes, look: `${hasLogo ? 'logo' : ''} ${JSON.stringify(fields)}` })
}
const cpuMs = Math.round((1000 * ((await cpuSeconds(waymark)) - cpuBefore)) / made)
await waymark.stop()

const read: Record<string, { zxing: number; zbar: number; both: number }> = {}
for (const name of Object.keys(DEGRADED)) {
  const files = codes.map((_, at) => join(folderOf(name), `${at}.png`))
  const [zxing, zbar] = [await textsOf(READERS[0], files), await textsOf(READERS[1], files)]
  const missed = codes.filter(({ text }) => !zxing.has(text) || !zbar.has(text))
  if (process.env['VERBOSE'] === '1') for (const { look } of missed) console.log(name, look)
  const readBy = (texts: Set<string>): number => codes.filter(({ text }) => texts.has(text)).length
  read[name] = { zxing: readBy(zxing), zbar: readBy(zbar), both: codes.length - missed.length }
}
await rm(folder, { recursive: true })
console.table(read)
console.log({ codes: codes.length, withWarnings: made - codes.length, seed, letters, cpuMsPerCode: cpuMs })
