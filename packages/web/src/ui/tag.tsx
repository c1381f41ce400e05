import { classes } from './classes.ts'

const COLORS = 8

/** A tag has the same colour wherever it appears. */
const colorOf = (tag: string): number => {
  let sum = 0
  for (const character of tag) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return sum % COLORS
}

export const tagClass = (tag: string, more?: string): string => classes('tag', `tag-${colorOf(tag)}`, more)
