import { readInstant } from '../schemas/fields.ts'

const SECONDS = /^\d{9,10}(?:\.\d{1,6})?$/
const MILLISECONDS = /^\d{12,13}$/
/** Bookmarks of some browsers. */
const MICROSECONDS = /^\d{15,16}$/
/** `2024-05-06 07:08:09`, with or without a zone, as databases write it; without one it is UTC. */
const SPACED = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i
const LONGEST = 64

/** Parses a time as services write it to epoch milliseconds: ISO 8601, seconds, milliseconds or microseconds since 1970, or words. */
export function readMoment(text: string): number | undefined {
  const value = text.trim()
  if (value.length > LONGEST) return undefined
  if (SECONDS.test(value)) return Math.trunc(Number(value) * 1000)
  if (MILLISECONDS.test(value)) return Number(value)
  if (MICROSECONDS.test(value)) return Math.trunc(Number(value) / 1000)
  const spaced = SPACED.exec(value)
  const zone = spaced?.[3] === undefined || /^utc$/i.test(spaced[3]) ? 'Z' : spaced[3]
  const iso = spaced === null ? value : `${spaced[1]}T${spaced[2]}${zone}`
  const instant = readInstant(iso, false)
  if (instant !== undefined) return instant
  // `May 6, 2024` and the like, which V8 would otherwise interpret as local time.
  const words = /^[a-z]{3}/i.test(value) ? Date.parse(hasZone(value) ? value : `${value} UTC`) : Number.NaN
  return Number.isNaN(words) || words < 0 ? undefined : words
}

/** Whether the time of day is followed by a zone. */
function hasZone(value: string): boolean {
  const clock = value.search(/\d{2}:\d{2}/)
  return clock !== -1 && /gmt|utc|z|[+-]\d{4}/i.test(value.slice(clock))
}
