/** Joins class names, leaving out false ones. */
export const classes = (...names: (string | false | null | undefined)[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ')
