import { eyePath } from './eye-paths.ts'
import { framePath } from './frame.ts'
import { modulePath, type Paint } from './module-paths.ts'
import { decimal } from './path-data.ts'
import { EYE, INK } from './picture.ts'
import type { Picture, PlacedCaption, PlacedLogo } from './picture.ts'

/** The path data and position of one colour of a picture. */
export interface InkPath {
  color: string
  path: string
  paint: Paint
  left: number
  top: number
  scaleX: number
  scaleY: number
}

/** The colours of a picture as paths, for all vector formats. */
export function inkPaths(picture: Picture): InkPath[] {
  const { grid, color, eyeColor, shape, eyeStyle = 'square', frame } = picture
  const inks: InkPath[] = []
  if (frame !== undefined)
    inks.push({ color, path: framePath(frame), paint: 'smooth', left: 0, top: 0, scaleX: 1, scaleY: 1 })
  const add = (ink: string, { path, paint }: { path: string; paint: Paint }): void => {
    const shift = typeof paint === 'number' ? 0.5 : 0
    inks.push({
      color: ink,
      path,
      paint,
      left: grid.left + shift * grid.cellWidth,
      top: grid.top + shift * grid.cellHeight,
      scaleX: grid.cellWidth,
      scaleY: grid.cellHeight,
    })
  }
  const isOnePiece = shape === 'squares' && eyeStyle === 'square' && eyeColor === color
  if (isOnePiece) {
    add(color, modulePath(grid, INK | EYE, shape))
    return inks
  }
  add(color, modulePath(grid, INK, shape))
  add(eyeColor, eyePath(grid, eyeStyle))
  return inks
}

/**
 * A picture as an SVG document: its size in pixels or millimetres (times `scale`), a title, nothing executable; the same
 * picture gives the same bytes.
 */
export function toSvg(picture: Picture, scale = 1, unit: '' | 'mm' = ''): string {
  const { width, height } = picture
  let body = `<rect width="${width}" height="${height}" fill="${picture.background}"/>`
  for (const ink of inkPaths(picture)) body += inkElement(ink)
  if (picture.logo !== undefined) body += logoElement(picture.logo)
  if (picture.caption !== undefined) body += captionElement(picture.caption)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${decimal(width * scale)}${unit}" height="${decimal(height * scale)}${unit}" ` +
    `viewBox="0 0 ${width} ${height}" role="img"><title>${escapeXml(picture.title)}</title>${body}</svg>`
  )
}

function inkElement(ink: InkPath): string {
  if (ink.path === '') return ''
  const scale =
    ink.scaleX === ink.scaleY ? `${decimal(ink.scaleX)}` : `${decimal(ink.scaleX)} ${decimal(ink.scaleY)}`
  const transform = `transform="translate(${decimal(ink.left)} ${decimal(ink.top)})scale(${scale})"`
  if (typeof ink.paint === 'number') {
    const stroke = `stroke="${ink.color}" stroke-width="${ink.paint}" stroke-linecap="round"`
    return `<path ${transform} fill="none" ${stroke} d="${ink.path}"/>`
  }
  return `<path ${transform} fill="${ink.color}"${FILLS[ink.paint]} d="${ink.path}"/>`
}

const FILLS = {
  crisp: ' fill-rule="evenodd" shape-rendering="crispEdges"',
  smooth: ' fill-rule="evenodd"',
  overlapping: '',
} as const

function logoElement({ href, left, top, size }: PlacedLogo): string {
  const place = `x="${decimal(left)}" y="${decimal(top)}" width="${decimal(size)}" height="${decimal(size)}"`
  return `<image ${place} href="${escapeXml(href)}"/>`
}

function captionElement({ path, color, left, baseline, size }: PlacedCaption): string {
  if (path === '') return ''
  const transform = `translate(${decimal(left)} ${decimal(baseline)})scale(${decimal(size / 1000)})`
  return `<path transform="${transform}" fill="${color}" d="${path}"/>`
}

/** Escapes text for XML content or attributes; characters that are not valid in XML become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '\uFFFD')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

// Tab, line feed and carriage return are the only control characters that XML 1.0 allows.
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
