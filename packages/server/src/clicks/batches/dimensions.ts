/** Time is kept by the quarter of an hour: no time zone is apart from UTC by anything smaller. */
export const QUARTER_MS = 15 * 60_000
export const QUARTERS_OF_A_DAY = 96

const SOURCES = ['link', 'qr'] as const

export function sourceOf(scanned: boolean): (typeof SOURCES)[number] {
  return scanned ? 'qr' : 'link'
}
