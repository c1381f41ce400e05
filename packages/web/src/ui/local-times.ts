/** Whether a date without a time means the start or the end of the day. */
export type DayEdge = 'start' | 'end'

const edges = { start: '00:00', end: '23:59:59.999' } as const

const two = (value: number): string => String(value).padStart(2, '0')

/** A time in the format of date and time fields, in the browser's time zone: `2026-12-24`, or `2026-12-24T18:00`. */
export const localTextOf = (iso: string | null, edge: DayEdge): string => {
  if (iso === null) return ''
  const at = new Date(iso)
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const isEdge = new Date(`${date}T${edges[edge]}`).getTime() === at.getTime()
  return isEdge ? date : `${date}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The time of the fields, to send. Invalid text is sent unchanged, so that the server reports it. */
export const isoOf = (text: string, edge: DayEdge): string | null => {
  if (text === '') return null
  const at = new Date(text.includes('T') ? text : `${text}T${edges[edge]}`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}

/** The browser's time zone and its UTC offset at a time. */
export const zoneAt = (text: string): string => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const at = new Date(text)
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(
    Number.isNaN(at.getTime()) ? new Date() : at,
  )
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? 'UTC'
  return timeZone === 'UTC' ? timeZone : `${timeZone} (${offset})`
}
