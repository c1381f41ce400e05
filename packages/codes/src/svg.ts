import { dots, outline } from './outline.ts'
import { EYE, INK } from './picture.ts'
import type { Picture, PlacedCaption, PlacedLogo } from './picture.ts'

/** One ink of a picture as path data: filled even-odd, or stroked with round caps when it has a width. */
export interface InkPath {
  color: string
  path: string
  strokeWidth?: number
  left: number
  top: number
  scaleX: number
  scaleY: number
}

/** Share of a module that a dot fills; below three pixels dots grow together, or cameras lose them. */
function dotDiameter(modulePx: number): number {
  return modulePx < 3 ? 1 : 0.9
}

/** The inks of a picture, ready for any vector format. */
export function inkPaths(picture: Picture): InkPath[] {
  const { grid, color, eyeColor } = picture
  const place = { left: grid.left, top: grid.top, scaleX: grid.cellWidth, scaleY: grid.cellHeight }
  if (picture.pattern === 'dots') {
    const centred = { ...place, left: grid.left + grid.cellWidth / 2, top: grid.top + grid.cellHeight / 2 }
    const strokeWidth = dotDiameter(grid.cellWidth)
    return [
      { color, path: dots(grid, INK), strokeWidth, ...centred },
      { color: eyeColor, path: outline(grid, EYE), ...place },
    ]
  }
  if (eyeColor === color) return [{ color, path: outline(grid, INK | EYE), ...place }]
  return [
    { color, path: outline(grid, INK), ...place },
    { color: eyeColor, path: outline(grid, EYE), ...place },
  ]
}

/** A picture as an SVG document: exact pixel size (times `scale`), a title, nothing executable; same picture, same bytes. */
export function toSvg(picture: Picture, scale = 1): string {
  const { width, height } = picture
  let body = `<rect width="${width}" height="${height}" fill="${picture.background}"/>`
  for (const ink of inkPaths(picture)) body += inkElement(ink)
  if (picture.logo !== undefined) body += logoElement(picture.logo)
  if (picture.caption !== undefined) body += captionElement(picture.caption)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${decimal(width * scale)}" height="${decimal(height * scale)}" ` +
    `viewBox="0 0 ${width} ${height}" role="img"><title>${escapeXml(picture.title)}</title>${body}</svg>`
  )
}

function inkElement(ink: InkPath): string {
  if (ink.path === '') return ''
  const scale =
    ink.scaleX === ink.scaleY ? `${decimal(ink.scaleX)}` : `${decimal(ink.scaleX)} ${decimal(ink.scaleY)}`
  const transform = `transform="translate(${decimal(ink.left)} ${decimal(ink.top)})scale(${scale})"`
  if (ink.strokeWidth !== undefined) {
    const stroke = `stroke="${ink.color}" stroke-width="${ink.strokeWidth}" stroke-linecap="round"`
    return `<path ${transform} fill="none" ${stroke} d="${ink.path}"/>`
  }
  return `<path ${transform} fill="${ink.color}" fill-rule="evenodd" shape-rendering="crispEdges" d="${ink.path}"/>`
}

function logoElement({ href, left, top, size }: PlacedLogo): string {
  const place = `x="${decimal(left)}" y="${decimal(top)}" width="${decimal(size)}" height="${decimal(size)}"`
  return `<image ${place} href="${escapeXml(href)}"/>`
}

function captionElement({ path, color, left, baseline, size }: PlacedCaption): string {
  if (path === '') return ''
  const transform = `translate(${decimal(left)} ${decimal(baseline)})scale(${decimal(size / 1000)})`
  return `<path transform="${transform}" fill="${color}" d="${path}"/>`
}

/** Text for XML content or attributes; what XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '\uFFFD')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

// Tab, line feed and carriage return are the only control characters that XML 1.0 allows.
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

function decimal(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
