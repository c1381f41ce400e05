/** U+0000 to U+001F, U+007F to U+009F, and the line and paragraph separators of Unicode. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u
const ALL_CONTROL = new RegExp(`${CONTROL.source}+`, 'gu')

export const hasControls = (text: string): boolean => CONTROL.test(text)

/** Replaces each run of them, or leaves them out. */
export const withoutControls = (text: string, replacement = ''): string =>
  text.replaceAll(ALL_CONTROL, replacement)
