import type { LinkCreate } from './link-fields.ts'

export type Destinations = Pick<
  Partial<LinkCreate>,
  'link' | 'ios_url' | 'android_url' | 'rules' | 'variants'
>

/** Every URL that a link can send visitors to, and the field it stands in. */
export function destinationsOf(input: Destinations): { field: string; url: string }[] {
  const { link, ios_url, android_url, rules, variants } = input
  const found: { field: string; url: string }[] = []
  const add = (field: string, url: string | null | undefined): void => {
    if (url) found.push({ field, url })
  }
  add('link', link)
  add('ios_url', ios_url)
  add('android_url', android_url)
  rules?.forEach(({ to }, at) => add(`rules.${at}.to`, to))
  variants?.forEach(({ url }, at) => add(`variants.${at}.url`, url))
  return found
}
