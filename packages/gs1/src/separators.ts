/** Identifiers whose data has a fixed length, so that no separator follows it (GS1 General Specifications, 7.8). */
const FIXED_LENGTH = /^(?:0[0-4]|1[1-9]|20|3[1-6]|41)/

/**
 * Whether no separator follows the data of an application identifier. Its first two digits say so, for unknown identifiers as
 * well, which is why this needs no table.
 */
export function hasFixedLength(ai: string): boolean {
  return FIXED_LENGTH.test(ai)
}
