const VOCABULARY = 'https://ref.gs1.org/voc/'
/** Addresses of the vocabulary, past and present. */
const VOCABULARIES = [
  VOCABULARY,
  'https://gs1.org/voc/',
  'http://gs1.org/voc/',
  'https://www.gs1.org/voc/',
  'http://www.gs1.org/voc/',
]
const PREFIX = 'gs1:'

/** The short form of a link type: `gs1:pip` for any of its addresses; others as they are. */
export function shortLinkType(type: string): string {
  for (const vocabulary of VOCABULARIES)
    if (type.startsWith(vocabulary)) return PREFIX + type.slice(vocabulary.length)
  return type
}

/** The address of a link type, which a linkset has as the name of its relation. */
export function linkTypeAddress(type: string): string {
  const short = shortLinkType(type)
  return short.startsWith(PREFIX) ? VOCABULARY + short.slice(PREFIX.length) : short
}
