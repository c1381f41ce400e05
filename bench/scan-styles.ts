/*
 * How many of 500 QR codes in random styles Debian's ZXing and ZBar read: as drawn, blurred, tilted and noisy. The
 * styles are those of a fixed seed: every shape, colours that bring no warning, with and without frame and logo.
 *
 *     npm run -s node bench/scan-styles.ts [count] [seed]
 */
import { drawQr, EYE_STYLES, judgeQr, QR_STYLES } from '@waymark/codes'
import type { QrOptions } from '@waymark/codes'
import sharp from 'sharp'
import { openCodeImages } from '../packages/server/src/imaging/codes/code-images.ts'
import { needScanners } from '../scripts/services/scanners.ts'

const [count = 500, seed = 20_261_118] = process.argv.slice(2).map(Number)

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
const hex = (): string => `#${upTo(0x1000000).toString(16).padStart(6, '0')}`

const example = drawQr({ text: 'https://example.com' })

function colors(): { color: string; eyeColor: string; background: string } {
  for (;;) {
    const picked = { color: hex(), eyeColor: hex(), background: random() < 0.5 ? '#ffffff' : hex() }
    if (judgeQr({ ...example, ...picked }).length === 0) return picked
  }
}

async function logoOf(): Promise<Buffer> {
  const [width, height] = [40 + upTo(300), 40 + upTo(300)]
  const noise = { type: 'gaussian', mean: 60 + upTo(140), sigma: 10 + upTo(70) } as const
  const plain = { create: { width, height, channels: 3 as const, background: hex() } }
  const noisy = { create: { ...plain.create, noise } }
  return sharp(random() < 0.4 ? noisy : plain)
    .png()
    .toBuffer()
}

function style(): Omit<QrOptions, 'logo' | 'logoShare'> {
  const length = 4 + upTo(60)
  const path = Array.from({ length }, () =>
    oneOf(Array.from('abcdefghijklmnopqrstuvwxyz0123456789-/?=')),
  ).join('')
  return {
    text: `https://example.com/${path}`,
    size: 200 + upTo(301),
    ...colors(),
    pattern: oneOf(['squares', 'dots'] as const),
    ...(random() < 0.66 && { style: oneOf(QR_STYLES) }),
    eyeStyle: oneOf(EYE_STYLES),
    ...(random() < 0.25 && { frame: 'Scan me' }),
  }
}

/** A photograph of the picture: some table around it, so that tilting cuts nothing off. */
const photograph = (png: Buffer) =>
  sharp(png).extend({ top: 24, bottom: 24, left: 24, right: 24, background: '#e8e8e8' })

/**
 * Four random numbers have a standard deviation of 0.58: this makes one of 15 of 256 levels in each channel. With 25, ZBar
 * reads 19 of 20 codes in plain black on white, and 14 of 20 if the channels have the same noise.
 */
const NOISE = 26

const DEGRADED: Record<string, (png: Buffer) => Promise<Buffer>> = {
  plain: async (png) => png,
  blurred: async (png) => photograph(png).blur(1.5).png().toBuffer(),
  tilted: async (png) =>
    sharp(await photograph(png).png().toBuffer())
      .affine([1, 0.12, 0.05, 0.9], { background: '#e8e8e8', interpolator: 'bicubic' })
      .rotate(17, { background: '#e8e8e8' })
      .png()
      .toBuffer(),
  async noisy(png) {
    const { data, info } = await photograph(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    for (let at = 0; at < data.length; at++) {
      const noise = (random() + random() + random() + random() - 2) * NOISE
      data[at] = Math.max(0, Math.min(255, data[at]! + noise))
    }
    const { width, height, channels } = info
    return sharp(data, { raw: { width, height, channels } }).png().toBuffer()
  },
}

const { zxing, zbar } = await needScanners()
const images = openCodeImages()
const read: Record<string, { zxing: number; zbar: number; both: number }> = {}
for (const name of Object.keys(DEGRADED)) read[name] = { zxing: 0, zbar: 0, both: 0 }
const letters: Record<string, number> = {}
let warned = 0
let missed = 0
let cpuMs = 0

for (let at = 0; at < count; at++) {
  const options = style()
  const logo = at % 2 === 0 ? undefined : await logoOf()
  const before = process.cpuUsage()
  const proven = await images.proveQr(logo === undefined ? options : { ...options, logo })
  const used = process.cpuUsage(before)
  cpuMs += (used.user + used.system) / 1000
  const letter = (proven as { grade?: { letter: string } }).grade?.letter ?? '?'
  letters[letter] = (letters[letter] ?? 0) + 1
  if (proven.warnings.length > 0) warned++
  const misses: string[] = []
  for (const [name, degrade] of Object.entries(DEGRADED)) {
    const png = await degrade(Buffer.from(proven.png))
    const [first, second] = await Promise.all([zxing(png), zbar(png)])
    const tally = read[name]!
    if (first === options.text) tally.zxing++
    if (second === options.text) tally.zbar++
    if (first === options.text && second === options.text) tally.both++
    else
      misses.push(`${name}:${first === options.text ? '' : 'zxing '}${second === options.text ? '' : 'zbar'}`)
  }
  if (misses.length > 0 && process.env['VERBOSE'] === '1') {
    missed++
    const { text, ...look } = options
    console.log(
      misses.join(', '),
      logo !== undefined ? 'logo' : '',
      text.length,
      JSON.stringify(look),
      letter,
      proven.warnings,
    )
  }
}
await images.close()
console.table(read)
console.log({ count, seed, warned, missed, letters, cpuMsEach: Math.round(cpuMs / count) })
