/** Schemes of destinations besides http and https that every instance accepts. */
export const TARGET_SCHEMES: readonly string[] = ['mailto', 'tel', 'sms', 'geo']

/** Schemes that run code, or read what is on the visitor's machine: no instance can accept them. */
const UNSAFE: ReadonlySet<string> = new Set(['javascript', 'data', 'vbscript', 'blob', 'file'])

export const isUnsafeScheme = (scheme: string): boolean => UNSAFE.has(scheme)

const SCHEME = /^([a-z][a-z0-9+.-]{0,31}):/i

/** The scheme of an absolute URL in lower case. */
export const schemeOf = (url: string): string | undefined => SCHEME.exec(url)?.[1]?.toLowerCase()

export const isWebScheme = (scheme: string | undefined): boolean => scheme === 'http' || scheme === 'https'

/** Whether a destination is an http or https URL. */
export const isWebUrl = (url: string): boolean => isWebScheme(schemeOf(url))
