import { contrast, type PageTheme, palettesOf } from '@waymark/page'
import type { OverlayOptions } from 'sharp'
import { imageLibrary } from '../../imaging/image-library.ts'
import { PREVIEW_SIZE } from './page-view.ts'
import { drawable, setText, type TextBlock, UNITS } from './text-lines.ts'

/** What a share preview shows. */
export interface Preview {
  readonly title: string
  readonly subtext: string | null
  /** The address of the page, without the protocol. */
  readonly place: string
  readonly theme: PageTheme
  readonly logo: Uint8Array | undefined
  readonly picture: Uint8Array | undefined
}

const { width: WIDTH, height: HEIGHT } = PREVIEW_SIZE
const MARGIN = 80
const PICTURE_WIDTH = 460
const LOGO_TOP = 56
const LOGO_HEIGHT = 84
const LOGO_WIDTH = 320
const FRAME = 16
const LINE_HEIGHT = 1.22
const GAP = 30
/** Above this size, some networks show no picture. */
const MAX_BYTES = 500_000
/** The font has one weight: a stroke of this many thousandths of an em makes titles bold. */
const BOLD = 34
/** The contrast below which a colour is not visible on its background. */
const SEEN = 1.6

/** The default background gradients of the page's style sheet. */
const LIGHTS = ['#ffe3c9,0.05,0', '#e2dcff,1,0.15', '#d8f0e6,0.4,1.1'].map((light) => light.split(','))

const number = (value: number): string => String(Math.round(value * 100) / 100)

const linesOf = ({ lines, size }: TextBlock, top: number, color: string, bold = 0): string =>
  lines
    .map(({ path }, at) => {
      const baseline = top + size * (0.95 + at * LINE_HEIGHT)
      const rim = bold === 0 ? '' : ` stroke="${color}" stroke-width="${bold}" stroke-linejoin="round"`
      return `<path transform="translate(${MARGIN} ${number(baseline)}) scale(${size / UNITS})" fill="${color}"${rim} d="${path}"/>`
    })
    .join('')

const heightOf = ({ lines, size }: TextBlock): number =>
  lines.length === 0 ? 0 : size * (1 + (lines.length - 1) * LINE_HEIGHT)

/** The picture without photographs: background and text in the colours of the page. */
const drawing = (preview: Preview): string => {
  const [palette] = palettesOf(preview.theme)
  const [from = '#ffffff', to = from] = palette.box.length > 0 ? palette.box : palette.body
  const width = WIDTH - 2 * MARGIN - (preview.picture === undefined ? 0 : PICTURE_WIDTH)
  // Three lines must fit below a logo.
  const sizes = preview.logo === undefined ? [84, 72, 62, 54, 46] : [62, 54, 46]
  const title = setText(drawable(preview.title), { width, sizes, lines: 3 })
  const subtext = setText(drawable(preview.subtext ?? ''), { width, sizes: [32, 28], lines: 2 })
  const place = setText(drawable(preview.place), { width, sizes: [26, 22], lines: 1 })
  const text = heightOf(title) + (subtext.lines.length === 0 ? 0 : GAP + heightOf(subtext))
  const above = preview.logo === undefined ? 0 : LOGO_TOP + LOGO_HEIGHT + 2 * FRAME
  const below = HEIGHT - MARGIN - 26 - GAP
  const top = above + (below - above - text) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/>
${isPlain(preview.theme) ? lights() : ''}${contrast(palette.button, from) > SEEN ? `<rect width="${WIDTH}" height="12" fill="${palette.button}"/>` : ''}
${linesOf(title, top, palette.text, BOLD)}${linesOf(subtext, top + heightOf(title) + GAP, palette.subtext)}${linesOf(place, HEIGHT - MARGIN - 26, palette.subtext)}
</svg>`
}

const isPlain = ({ bgColor, bodyBg, bggradient }: PageTheme): boolean =>
  [bgColor, bodyBg, ...(bggradient ?? [])].every((color) => color == null)

const lights = (): string =>
  LIGHTS.map(
    ([color, x, y], at) =>
      `<radialGradient id="l${at}" cx="${x}" cy="${y}" r="0.7"><stop offset="0" stop-color="${color}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#l${at})"/>`,
  ).join('')

/** A logo at its maximum height, on the background of the theme. */
const framed = async (logo: Uint8Array, theme: PageTheme): Promise<Buffer> => {
  const [{ logoGround }] = palettesOf(theme)
  const sharp = await imageLibrary()
  const { data, info } = await sharp(logo)
    .resize(LOGO_WIDTH, LOGO_HEIGHT, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true })
  if (logoGround === null) return data
  const [width, height] = [info.width + 2 * FRAME, info.height + 2 * FRAME]
  const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="24" fill="${logoGround}"/></svg>`
  return sharp(Buffer.from(ground))
    .composite([{ input: data, left: FRAME, top: FRAME }])
    .png()
    .toBuffer()
}

const overlays = async ({ logo, picture, theme }: Preview): Promise<OverlayOptions[]> => {
  const all: OverlayOptions[] = []
  if (picture !== undefined) {
    const sharp = await imageLibrary()
    const input = await sharp(picture).resize(PICTURE_WIDTH, HEIGHT, { fit: 'cover' }).png().toBuffer()
    all.push({ input, left: WIDTH - PICTURE_WIDTH, top: 0 })
  }
  if (logo !== undefined) all.push({ input: await framed(logo, theme), left: MARGIN, top: LOGO_TOP })
  return all
}

/** Draws a share preview. */
export const drawPreview = async (preview: Preview): Promise<Buffer> => {
  const sharp = await imageLibrary()
  const whole = sharp(Buffer.from(drawing(preview))).composite(await overlays(preview))
  // Level 9 with adaptive filters saves a twentieth of the bytes and takes ten times as long, but bots do not wait.
  const bytes = await whole.clone().png({ compressionLevel: 6 }).toBuffer()
  // A photograph in full colour can exceed the limit of some networks.
  return bytes.length <= MAX_BYTES ? bytes : whole.png({ palette: true, quality: 95 }).toBuffer()
}
