import { CodeError } from './code-error.ts'
import { hexColor } from './color.ts'
import { EYE, GROUND, INK } from './picture.ts'
import type { Grid, Pattern, Picture, PlacedLogo } from './picture.ts'
import { qrMatrix } from './qr-matrix.ts'
import type { QrLevel, QrMatrix } from './qr-matrix.ts'

/** What a QR code should look like; only `text` is needed. */
export interface QrOptions {
  text: string
  /** Width and height in pixels, default 300. */
  size?: number
  /** `#rgb` or `#rrggbb`, default black. */
  color?: string
  /** Colour of the eyes, default that of the code. */
  eyeColor?: string
  /** Ground, default white. */
  background?: string
  /** Quiet zone in modules, default 4. */
  margin?: number
  pattern?: Pattern
  /** Least error correction, default M; H whenever there is a logo. */
  level?: QrLevel
  /** A PNG, JPEG or WebP image as a base64 `data:` address. */
  logo?: string
  /** Share of the code's area that is cleared for the logo, default `LOGO_SHARE`. */
  logoShare?: number
  /** For screen readers, default `QR code: ` and the text. */
  title?: string
}

/** The facts of a drawn QR code that decide how well it scans. */
export interface QrFacts {
  version: number
  level: QrLevel
  /** Modules per side, without the quiet zone. */
  modules: number
  modulePx: number
  /** Quiet zone in modules, as drawn. */
  quietModules: number
  /** Share of the area that is really cleared for the logo; 0 without one. */
  clearedShare: number
}

/** A drawn QR code. */
export interface QrPicture extends Picture {
  qr: QrFacts
}

/** Share of the area that a logo clears: a third of what level H can lose, the rest is for dirt and glare. */
export const LOGO_SHARE = 0.1
/** Largest share that can be asked for. */
export const MAX_LOGO_SHARE = 0.4

const EYE_MODULES = 7

/** Draws a QR code: level H with a logo, else M or better. */
export function drawQr(options: QrOptions): QrPicture {
  const {
    text,
    size = 300,
    margin = 4,
    pattern = 'squares',
    level = 'M',
    logo,
    logoShare = LOGO_SHARE,
  } = options
  check(text !== '', 'There is nothing to encode')
  check(Number.isInteger(size) && size >= 21 && size <= 20_000, 'The size is a whole number of pixels')
  check(Number.isInteger(margin) && margin >= 0 && margin <= 100, 'The margin is 0 to 100 modules')
  check(logoShare > 0 && logoShare <= MAX_LOGO_SHARE, `The logo's share is at most ${MAX_LOGO_SHARE}`)
  const matrix = qrMatrix(text, logo === undefined ? level : 'H')
  const color = hexColor(options.color ?? '#000000')
  const { modulePx, left } = layoutQr(matrix.modules, size, margin)
  const cleared = logo === undefined ? 0 : clearedModules(matrix.modules, logoShare)
  const picture: QrPicture = {
    width: size,
    height: size,
    title: options.title ?? `QR code: ${text}`,
    background: hexColor(options.background ?? '#ffffff'),
    color,
    eyeColor: hexColor(options.eyeColor ?? color),
    pattern,
    grid: qrGrid(matrix, cleared, left, modulePx),
    qr: {
      version: matrix.version,
      level: matrix.level,
      modules: matrix.modules,
      modulePx,
      quietModules: left / modulePx,
      clearedShare: (cleared / matrix.modules) ** 2,
    },
  }
  if (logo !== undefined) picture.logo = placeLogo(logo, picture, cleared)
  return picture
}

/** Where the modules stand: on whole pixels if one fits, what is left over widens the quiet zone. */
function layoutQr(modules: number, size: number, margin: number): { modulePx: number; left: number } {
  const exact = size / (modules + 2 * margin)
  if (exact < 1) return { modulePx: exact, left: margin * exact }
  const modulePx = Math.floor(exact)
  return { modulePx, left: Math.floor((size - modules * modulePx) / 2) }
}

/** Side of the cleared square: odd, as every QR code's side is, so that it sits in the middle. */
function clearedModules(modules: number, share: number): number {
  const side = Math.floor(Math.sqrt(share) * modules)
  return Math.max(3, side % 2 === 1 ? side : side - 1)
}

function qrGrid({ modules, cells }: QrMatrix, cleared: number, left: number, modulePx: number): Grid {
  const far = modules - EYE_MODULES
  for (let y = 0; y < modules; y++) {
    if (y >= EYE_MODULES && y < far) continue
    for (let x = 0; x < modules; x++) {
      const inEye = (x < EYE_MODULES || (x >= far && y < EYE_MODULES)) && cells[y * modules + x] === INK
      if (inEye) cells[y * modules + x] = EYE
    }
  }
  const from = (modules - cleared) / 2
  for (let y = from; y < from + cleared; y++) {
    cells.fill(GROUND, y * modules + from, y * modules + from + cleared)
  }
  return {
    columns: modules,
    rows: modules,
    cells,
    left,
    top: left,
    cellWidth: modulePx,
    cellHeight: modulePx,
  }
}

/** Half a module of ground stays around the logo, so that its edge is not taken for modules. */
function placeLogo(href: string, { grid, qr }: QrPicture, cleared: number): PlacedLogo {
  check(
    /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/.test(href),
    'The logo is a PNG, JPEG or WebP image as a base64 data address',
  )
  const from = grid.left + ((qr.modules - cleared) / 2 + 0.5) * qr.modulePx
  return { href, left: from, top: from, size: (cleared - 1) * qr.modulePx }
}

function check(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new CodeError('bad_option', sentence)
}
