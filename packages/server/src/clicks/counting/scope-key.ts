/** The scope of all links of a user together. */
export const ALL_LINKS = 0

/**
 * Figures are kept under numbers: 52 random bits of the uuid they belong to. As keys of a table that is written
 * with every click they are a sixth of the uuid's text in size. Two links of ten million share one with a chance
 * of one in a hundred, and mix figures only if they are the same user's, for the user's own number comes first.
 */
export function scopeKey(uuid: string): number {
  // Never the number of all links together, whatever the chance.
  return Number.parseInt(uuid.slice(22, 23) + uuid.slice(24), 16) || 1
}
