/** Scripts whose letters pass for each other's. */
const LOOK_ALIKE = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]

/** Words of nothing but these read as Latin ones, though none of their letters is. */
const PASSES_FOR_LATIN = /^(?:[асԁеһіјӏорԛѕԝху0-9-]+|[αικνορτυχγη0-9-]+)$/u

/**
 * Whether a domain name, label by label in Unicode, is made of letters that pass for those of another alphabet. Under a
 * top level of its own alphabet a word passes for nothing else.
 */
export const isDeceptiveName = (labels: readonly string[]): boolean => {
  const isUnderLatin = /^[a-z0-9-]+$/.test(labels.at(-1) ?? '')
  return labels.some(
    (label) =>
      LOOK_ALIKE.filter((script) => script.test(label)).length > 1 ||
      (isUnderLatin && PASSES_FOR_LATIN.test(label) && !/^[0-9-]+$/.test(label)),
  )
}
