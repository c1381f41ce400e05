const browsers: readonly [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const first = (pairs: readonly [RegExp, string][], text: string): string | undefined =>
  pairs.find(([pattern]) => pattern.test(text))?.[1]

/** A browser under its common name. */
export const browserName = (userAgent: string | null): string => {
  if (userAgent === null || userAgent === '') return 'Unknown browser'
  const browser = first(browsers, userAgent)
  const system = first(systems, userAgent)
  if (browser === undefined) return userAgent.slice(0, 60)
  return system === undefined ? browser : `${browser} on ${system}`
}
