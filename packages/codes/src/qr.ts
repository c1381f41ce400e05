import { CodeError } from './code-error.ts'
import { EYE_MODULES } from './eye-paths.ts'
import { type CaptionFont, layoutFrame } from './frame.ts'
import { hexColor } from './color.ts'
import { EYE, GROUND, INK } from './picture.ts'
import type { EyeStyle, FrameFont, Grid, Pattern, Picture, PlacedLogo, QrStyle } from './picture.ts'
import { qrMatrix } from './qr-matrix.ts'
import type { QrLevel, QrMatrix } from './qr-matrix.ts'

/** Options of a QR code; only `text` is required. */
export interface QrOptions {
  text: string
  /** Width in pixels, default 300; also the height, unless there is a frame. */
  size?: number
  /** `#rgb` or `#rrggbb`, default black. */
  color?: string
  /** Colour of the eyes, default that of the code. */
  eyeColor?: string
  /** Background, default white. */
  background?: string
  /** Quiet zone in modules, default 4. */
  margin?: number
  pattern?: Pattern
  /** A further shape of modules, which overrides `pattern`. */
  style?: QrStyle
  /** Shape of the eyes, default square. */
  eyeStyle?: EyeStyle
  /** Caption of a frame around the code; the picture is then higher than wide. */
  frame?: string
  /** Font of the caption, default `sans`. */
  frameFont?: FrameFont
  /** Minimum error correction, default M; H with a logo. */
  level?: QrLevel
  /** The error correction that a standard prescribes: neither more, nor H with a logo. */
  exactLevel?: QrLevel
  /** A PNG, JPEG or WebP image as a base64 `data:` address. */
  logo?: string
  /** Share of the code's area that is cleared for the logo, default `logoShareOf`. */
  logoShare?: number
  /** For screen readers, default `QR code: ` and the text. */
  title?: string
  /** For print: modules need not be whole pixels, so that the quiet zone is exactly `margin`. */
  isExact?: boolean
}

/** Properties of a drawn QR code that affect how well it scans. */
export interface QrFacts {
  version: number
  level: QrLevel
  /** Modules per side, without the quiet zone. */
  modules: number
  modulePx: number
  /** Quiet zone in modules, as drawn. */
  quietModules: number
  /** Share of the area that is actually cleared for the logo; 0 without one. */
  clearedShare: number
  /** Font size of the frame's text in pixels; 0 without a frame. */
  frameTextPx: number
  /** Number of its characters that can only be shown as boxes. */
  frameBoxes: number
}

/** A drawn QR code. */
export interface QrPicture extends Picture {
  qr: QrFacts
}

/**
 * Uses better error correction than requested while modules stay this wide and the version this small: from version 6 on ZBar
 * misses one in ten turned codes, and smaller modules blur.
 */
const MIN_GROWN_PX = 6
const MAX_GROWN_VERSION = 5
/** Share of the area that a logo clears: a quarter of what level H can correct. With a tenth, ZBar missed 1 of 15. */
const LOGO_SHARE = 0.07
/** Largest share that can be requested. */
export const MAX_LOGO_SHARE = 0.4

/** The share that a logo clears: half as much with less error correction than H. */
export const logoShareOf = ({ logoShare, exactLevel = 'H' }: QrOptions): number =>
  logoShare ?? (exactLevel === 'H' ? LOGO_SHARE : LOGO_SHARE / 2)

/** Draws a QR code: by default level H with a logo, otherwise at least M. A frame requires the font of its caption. */
export function drawQr(options: QrOptions, font?: CaptionFont): QrPicture {
  const { text, size = 300, margin = 4, pattern = 'squares', level = 'M', exactLevel, logo } = options
  const logoShare = logoShareOf(options)
  check(text !== '', 'There is nothing to encode')
  check(Number.isInteger(size) && size >= 21 && size <= 20_000, 'The size is a whole number of pixels')
  check(Number.isInteger(margin) && margin >= 0 && margin <= 100, 'The margin is 0 to 100 modules')
  check(logoShare > 0 && logoShare <= MAX_LOGO_SHARE, `The logo's share is at most ${MAX_LOGO_SHARE}`)
  const color = hexColor(options.color ?? '#000000')
  const background = hexColor(options.background ?? '#ffffff')
  const caption = options.frame?.trim() ?? ''
  check(caption === '' || font !== undefined, 'A frame needs the font of its caption')
  const framed =
    caption === '' || font === undefined ? undefined : layoutFrame(caption, size, background, font)
  const codeWidth = framed?.innerSize ?? size
  const least = exactLevel ?? (logo === undefined ? level : 'H')
  const matrix = qrMatrix(text, least, exactLevel === undefined ? grownVersion(codeWidth, margin) : 'exact')
  const { modulePx, quiet } = layoutQr(matrix.modules, codeWidth, margin, options.isExact === true)
  const cleared = logo === undefined ? 0 : clearedModules(matrix.modules, logoShare)
  const place = {
    left: quiet + (framed?.innerLeft ?? 0),
    top: quiet + (framed?.innerTop ?? 0),
    cellWidth: modulePx,
    cellHeight: modulePx,
  }
  const picture: QrPicture = {
    width: size,
    height: framed?.height ?? size,
    codeWidth,
    title: options.title ?? `QR code: ${text}`,
    background,
    color,
    eyeColor: hexColor(options.eyeColor ?? color),
    shape: options.style ?? pattern,
    eyeStyle: options.eyeStyle ?? 'square',
    grid: { ...qrGrid(matrix, cleared), ...place },
    qr: {
      version: matrix.version,
      level: matrix.level,
      modules: matrix.modules,
      modulePx,
      quietModules: quiet / modulePx,
      clearedShare: (cleared / matrix.modules) ** 2,
      frameTextPx: framed?.caption.size ?? 0,
      frameBoxes: framed?.boxes ?? 0,
    },
  }
  if (framed !== undefined) {
    picture.frame = framed.frame
    picture.caption = framed.caption
  }
  if (logo !== undefined) picture.logo = placeLogo(logo, picture, cleared)
  return picture
}

/** The largest version that a code may grow to for better error correction. */
function grownVersion(codeWidth: number, margin: number): number {
  const modules = Math.floor(codeWidth / MIN_GROWN_PX) - 2 * margin
  return Math.min(Math.floor((modules - 17) / 4), MAX_GROWN_VERSION)
}

/** Positions the modules: on whole pixels if that fits, and the rest widens the quiet zone. */
function layoutQr(
  modules: number,
  size: number,
  margin: number,
  isExact: boolean,
): { modulePx: number; quiet: number } {
  const exact = size / (modules + 2 * margin)
  if (isExact || exact < 1) return { modulePx: exact, quiet: margin * exact }
  const modulePx = Math.floor(exact)
  return { modulePx, quiet: Math.floor((size - modules * modulePx) / 2) }
}

/** Side of the cleared square: odd like that of every QR code, so that it is centred. */
function clearedModules(modules: number, share: number): number {
  const side = Math.floor(Math.sqrt(share) * modules)
  return Math.max(3, side % 2 === 1 ? side : side - 1)
}

function qrGrid({ modules, cells }: QrMatrix, cleared: number): Pick<Grid, 'columns' | 'rows' | 'cells'> {
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
  return { columns: modules, rows: modules, cells }
}

/** Half a module of background stays around the logo, so that its edge is not mistaken for modules. */
function placeLogo(href: string, { grid, qr }: QrPicture, cleared: number): PlacedLogo {
  check(
    /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/.test(href),
    'The logo is a PNG, JPEG or WebP image as a base64 data address',
  )
  const inset = ((qr.modules - cleared) / 2 + 0.5) * qr.modulePx
  return { href, left: grid.left + inset, top: grid.top + inset, size: (cleared - 1) * qr.modulePx }
}

function check(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new CodeError('bad_option', sentence)
}
