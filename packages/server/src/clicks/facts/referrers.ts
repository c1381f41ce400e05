import { remembered } from './remembered.ts'

const MAX_REFERRER_CHARS = 1_024
const MAX_REMEMBERED = 5_000

const knownHost = remembered(MAX_REMEMBERED, hostOfReferrer)

/** The host of the site that a visitor came from, in lower case; '' when there is none. */
export function referrerHostOf(referrer: string): string {
  if (referrer === '') return ''
  return knownHost(referrer.length > MAX_REFERRER_CHARS ? referrer.slice(0, MAX_REFERRER_CHARS) : referrer)
}

export function hostOfReferrer(referrer: string): string {
  const url = URL.parse(referrer)
  if (url === null || !/^(https?|android-app):$/.test(url.protocol)) return ''
  return url.hostname.toLowerCase()
}
