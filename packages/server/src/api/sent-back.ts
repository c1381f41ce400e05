/** Fields that change without an edit. A client that sends a resource back has read an earlier value of them. */
const MOVING = new Set(['clicks', 'last_click_at', 'scans', 'views', 'updated_at'])

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value that the field had before: counters and times only grow, and a first time follows null. */
const isEarlier = (sent: unknown, present: unknown): boolean => {
  if (typeof present === 'number') return Number(sent) <= present && Number(sent) >= 0 && sent !== null
  if (typeof present !== 'string') return false
  return sent === null || (typeof sent === 'string' && sent <= present && !Number.isNaN(Date.parse(sent)))
}

/** Whether a field of a request has the value that the resource has (or, if it moves, had). Forms send texts. */
export const isUnchanged = (name: string, sent: unknown, present: unknown): boolean => {
  if (sent === present) return true
  if (Array.isArray(sent) && Array.isArray(present))
    return sent.length === present.length && sent.every((item, at) => isUnchanged('', item, present[at]))
  if (isObject(sent) && isObject(present))
    return Object.entries(sent).every(
      ([key, value]) => Object.hasOwn(present, key) && isUnchanged(key, value, present[key]),
    )
  if (typeof sent === 'string' && ['number', 'boolean'].includes(typeof present) && sent === String(present))
    return true
  return MOVING.has(name) && isEarlier(sent, present)
}
