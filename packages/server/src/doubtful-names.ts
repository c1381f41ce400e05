import type { Environment } from './config-values.ts'

/** Shorter names are too similar to those of other programs. */
const LONG_ENOUGH = 7

const FILE = '_FILE'

/** What is left when letters and underscores are mixed up. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()

/**
 * Settings that have no effect although they look as if they had: a variable beside its own `_FILE`, and names that differ from
 * ours only in underscores, in case, or in one letter.
 */
export function doubtfulNames(environment: Environment, names: ReadonlySet<string>): string[] {
  const isSet = (name: string): boolean => (environment[name] ?? '').trim() !== ''
  const known = [...names].flatMap((name) => [name, name + FILE])
  const twice = [...names]
    .filter((name) => isSet(name) && isSet(name + FILE))
    .map(
      (name) =>
        `${name} and ${name + FILE} are both set, and only ${name + FILE} is read: remove one of them`,
    )
  const misspelled = Object.keys(environment)
    .filter((name) => isSet(name) && !known.includes(name))
    .flatMap((name) => {
      const meant =
        known.find((each) => plain(each) === plain(name)) ??
        known.find((each) => !isSet(each) && isNearMiss(plain(name), plain(each)))
      return meant === undefined
        ? []
        : [`${name} is not a setting of Waymark and has no effect: is it ${meant}?`]
    })
  return [...twice, ...misspelled]
}

/** Whether one letter was added, left out or replaced, or two neighbours were swapped. */
function isNearMiss(name: string, known: string): boolean {
  if (known.length < LONG_ENOUGH || Math.abs(name.length - known.length) > 1) return false
  let start = 0
  while (start < name.length && name[start] === known[start]) start++
  const rest = (text: string, skipped: number): string => text.slice(start + skipped)
  return (
    rest(name, 1) === rest(known, 1) ||
    rest(name, 1) === rest(known, 0) ||
    rest(name, 0) === rest(known, 1) ||
    (rest(name, 2) === rest(known, 2) && name[start] === known[start + 1] && name[start + 1] === known[start])
  )
}
