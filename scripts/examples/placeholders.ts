/*
 * Replaces everything that differs between runs by fixed values of the same kind: the same scenario gives the same file, and a
 * change of the file is a change of the API.
 */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g
const DAY_MS = 86_400_000
/** The time of all recorded calls. */
const THEN_MS = Date.UTC(2026, 0, 15, 9)

/** Replaces every match by a value that depends only on the order of first occurrence. */
const numbered = (text: string, pattern: RegExp, valueOf: (count: number) => string): string => {
  const known = new Map<string, string>()
  return text.replaceAll(pattern, (found) => {
    const value = known.get(found) ?? valueOf(known.size + 1)
    known.set(found, value)
    return value
  })
}

const CODES = ['Kq3xW7b', 'p2Vd9Ls', 'Zr8nT4c', 'm6Yh1Jf', 'Xa5gB0u', 'w7Ek3Qo', 'Tc9iD2v', 'h4Sz8Np']

/** Replaces times of the run by one moment; others keep their distance from it in whole days, and midnight stays midnight. */
const withoutTimes = (text: string, startedAtMs: number): string => {
  const daysFrom = (ms: number): number => Math.floor(ms / DAY_MS) - Math.floor(startedAtMs / DAY_MS)
  const today = Math.floor(THEN_MS / DAY_MS) * DAY_MS
  const moved = (time: string, baseMs: number): string => {
    const days = daysFrom(Date.parse(time))
    // Times chosen by hand, such as an expiry, are far away.
    return Math.abs(days) > 370 ? time : new Date(baseMs + days * DAY_MS).toISOString()
  }
  return text
    .replaceAll(TIME, (time) => moved(time, time.endsWith('T00:00:00.000Z') ? today : THEN_MS))
    .replaceAll(/"\d{4}-\d{2}-\d{2}"/g, (date) => `"${moved(date.slice(1, -1), today).slice(0, 10)}"`)
    .replaceAll(/"webhook-timestamp":"\d+"/g, `"webhook-timestamp":"${THEN_MS / 1000}"`)
    .replaceAll(/"date":"[^"]+GMT"/g, `"date":"${new Date(THEN_MS).toUTCString()}"`)
    .replaceAll(/"duration_ms":\d+/g, '"duration_ms":42')
    .replaceAll(
      /\?expires=\d+&signature=[0-9a-f]+/g,
      `?expires=${THEN_MS + 900_000}&signature=533631ba9581b9fc`,
    )
}

export interface Run {
  readonly startedAtMs: number
  /** Addresses of this machine, and their replacements. */
  readonly addresses: Readonly<Record<string, string>>
}

/** The recorded calls as they are stored. */
export function withPlaceholders(json: string, { startedAtMs, addresses }: Run): string {
  let text = json
  for (const [own, shown] of Object.entries(addresses)) text = text.replaceAll(own, shown)
  text = withoutTimes(text, startedAtMs)
  text = numbered(text, UUID, (count) => `019bc0de-0000-7000-8000-${String(count).padStart(12, '0')}`)
  text = numbered(text, /\bwms_[A-Za-z0-9_-]+/g, () => 'wms_a-secret-that-is-shown-only-once')
  text = numbered(text, /\bwm_[A-Za-z0-9_-]+/g, (count) => `wm_a-public-identifier-${count}`)
  text = numbered(text, /\bwhsec_[A-Za-z0-9+/=]+/g, () => 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==')
  text = numbered(text, /v1,[A-Za-z0-9+/=]{40,}/g, () => 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=')
  text = numbered(text, /\?v=[A-Za-z0-9_-]+/g, (count) => `?v=${count.toString(16).padStart(8, '0')}`)
  text = numbered(text, /waymark-[0-9a-f]{32}/g, () => 'waymark-ff9c50ce45de5cdd851a575ad441d42e')
  text = text.replaceAll(/"token":"[^"]+"/g, '"token":"the-token-of-the-mail"')
  text = text.replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":"MDFhMWUxMjktNmM0ZS03M2E5"')
  return withoutCodes(text)
}

/** Random short codes, wherever they stand. */
const withoutCodes = (text: string): string => {
  const random = new Set([...text.matchAll(/"code":"([A-Za-z0-9]{7})"/g)].map(([, code = '']) => code))
  for (const [, code = ''] of text.matchAll(/go\.example\.com\/([A-Za-z0-9]{7})"/g)) random.add(code)
  return [...random].reduce(
    (known, code, at) => known.replaceAll(code, CODES[at] ?? `code${at}xx`.slice(0, 7)),
    text,
  )
}
