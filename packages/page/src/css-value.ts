const COLOR = /^#[0-9a-f]{6}$/i
const SAFE = /^[#a-z0-9 .,%()/+-]{1,2048}$/i
const FUNCTIONS = new Set(['rgb', 'rgba', 'hsl', 'hsla', 'polygon', 'circle', 'ellipse', 'inset'])

/** A colour as it may stand in the style sheet, or null. */
export const colorOf = (value: string | null | undefined): string | null =>
  typeof value === 'string' && COLOR.test(value) ? value.toLowerCase() : null

/**
 * The one door through which a value of the theme gets into the style sheet. Its grammar was checked when it was
 * stored; here it is only made sure that it cannot leave its declaration, close the element or fetch anything.
 */
export const cssValue = (value: string | null | undefined): string | null => {
  if (typeof value !== 'string' || !SAFE.test(value) || value.includes('//')) return null
  // The last word before every parenthesis; no more of it is looked at than the longest name has, and one letter.
  const calls = value
    .split('(')
    .slice(0, -1)
    .map((before) => /[a-z-]{0,8}$/i.exec(before.slice(-8))?.[0] ?? '')
  const isBalanced = value.split('(').length === value.split(')').length
  return isBalanced && calls.every((name) => FUNCTIONS.has(name.toLowerCase())) ? value : null
}
