/** Scripts with letters that look alike. */
const LOOK_ALIKE = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]

/** Words with only these letters look Latin, although none of their letters is. */
const PASSES_FOR_LATIN = /^(?:[асԁеһіјӏорԛѕԝху0-9-]+|[αικνορτυχγη0-9-]+)$/u

/**
 * Whether a domain name, given label by label in Unicode, uses letters that look like those of another alphabet. Under a
 * top-level domain in its own alphabet a word is not deceptive.
 */
export const isDeceptiveName = (labels: readonly string[]): boolean => {
  const isUnderLatin = /^[a-z0-9-]+$/.test(labels.at(-1) ?? '')
  return labels.some(
    (label) =>
      LOOK_ALIKE.filter((script) => script.test(label)).length > 1 ||
      (isUnderLatin && PASSES_FOR_LATIN.test(label) && !/^[0-9-]+$/.test(label)),
  )
}

/**
 * Whether a name holds a URL, or what mail programs make a link of. Such a name of a person or workspace would be an
 * advertisement in the mails that invite others.
 */
export const namesUrl = (name: string): boolean =>
  /:\/\/|www\.|[\p{L}\p{N}]\.\p{L}{2,}(?:[^\p{L}\p{N}-]|$)/iu.test(name)
