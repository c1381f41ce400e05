import { palettesOf, type PageTheme } from '@waymark/page'
import { drawable, setText, UNITS } from './text-lines.ts'

const SIZE = 64
const LETTER = 40
/** How high capital letters are, of their size. */
const CAPITAL = 0.73

/** A page's first letter in its own colours. */
export const drawIcon = (title: string, theme: PageTheme): string => {
  const [palette] = palettesOf(theme)
  const ground = theme.buttonBgColor ?? theme.bgColor ?? palette.text
  const ink = theme.buttonBgColor == null ? (palette.body[0] ?? '#ffffff') : palette.buttonText
  const letter = /[\p{L}\p{N}]/u.exec(drawable(title))?.[0].toUpperCase() ?? ''
  const [line] = setText(letter, { width: SIZE, sizes: [LETTER], lines: 1 }).lines
  const outline =
    line === undefined
      ? `<circle cx="32" cy="32" r="12" fill="${ink}"/>`
      : `<path transform="translate(${(SIZE - line.width) / 2} ${(SIZE + LETTER * CAPITAL) / 2}) scale(${LETTER / UNITS})" fill="${ink}" stroke="${ink}" stroke-width="50" d="${line.path}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}"><rect width="${SIZE}" height="${SIZE}" rx="16" fill="${ground}"/>${outline}</svg>`
}
