/** Which end of the day is meant by a date without a time. */
export type DayEdge = 'start' | 'end'

const edges = { start: '00:00', end: '23:59:59.999' } as const

const two = (value: number): string => String(value).padStart(2, '0')

/** A time as a date field and a time field hold it, in this browser's zone: `2026-12-24`, or `2026-12-24T18:00`. */
export const localTextOf = (iso: string | null, edge: DayEdge): string => {
  if (iso === null) return ''
  const at = new Date(iso)
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const isEdge = new Date(`${date}T${edges[edge]}`).getTime() === at.getTime()
  return isEdge ? date : `${date}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The time that the fields hold, as it is sent. What is no time is sent as it is, so that the server can say so. */
export const isoOf = (text: string, edge: DayEdge): string | null => {
  if (text === '') return null
  const at = new Date(text.includes('T') ? text : `${text}T${edges[edge]}`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}

/** The time zone of this browser and its distance from UTC at a time. */
export const zoneAt = (text: string): string => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const at = new Date(text)
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(
    Number.isNaN(at.getTime()) ? new Date() : at,
  )
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? 'UTC'
  return timeZone === 'UTC' ? timeZone : `${timeZone} (${offset})`
}
