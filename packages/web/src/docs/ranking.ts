/** A heading of the docs: its URL, page, text, and the words below it. */
export type SearchEntry = readonly [path: string, page: string, heading: string, words: string]

const MAX_RESULTS = 12

const startsWord = (text: string, term: string): boolean => {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1))
    if (at === 0 || !/[a-z0-9]/.test(text.charAt(at - 1))) return true
  return false
}

/** How well an entry matches one term; 0 if it does not. */
const fit = ([, page, heading, words]: SearchEntry, term: string): number => {
  const title = (heading === '' ? page : heading).toLowerCase()
  if (title === term) return 40
  if (startsWord(title, term)) return 20
  if (startsWord(page.toLowerCase(), term)) return 10
  if (startsWord(words, term)) return 4
  return title.includes(term) ? 2 : 0
}

/** The entries that match every word of a query, best first. */
export function rank(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '')
  if (terms.length === 0) return []
  return entries
    .map((entry) => {
      const fits = terms.map((term) => fit(entry, term))
      const score = fits.includes(0) ? 0 : fits.reduce((sum, each) => sum + each, 0)
      // A page comes before its sections.
      return { entry, score: score === 0 ? 0 : score + (entry[2] === '' ? 3 : 0) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry)
}
