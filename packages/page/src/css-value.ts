const COLOR = /^#[0-9a-f]{6}$/i
const SAFE = /^[#a-z0-9 .,%()/+-]{1,2048}$/i
const FUNCTIONS = new Set(['rgb', 'rgba', 'hsl', 'hsla', 'polygon', 'circle', 'ellipse', 'inset'])

/** A colour that is safe in the style sheet, or null. */
export const colorOf = (value: string | null | undefined): string | null =>
  typeof value === 'string' && COLOR.test(value) ? value.toLowerCase() : null

/**
 * The only way for a value of the theme into the style sheet. Its grammar was validated when it was stored; this only ensures
 * that it cannot leave its declaration, close the element or load anything.
 */
export const cssValue = (value: string | null | undefined): string | null => {
  if (typeof value !== 'string' || !SAFE.test(value) || value.includes('//')) return null
  // The last word before every parenthesis, up to the longest name and one letter more.
  const calls = value
    .split('(')
    .slice(0, -1)
    .map((before) => /[a-z-]{0,8}$/i.exec(before.slice(-8))?.[0] ?? '')
  const isBalanced = value.split('(').length === value.split(')').length
  return isBalanced && calls.every((name) => FUNCTIONS.has(name.toLowerCase())) ? value : null
}
