import type { LinkCreate } from './link-fields.ts'

export type Destinations = Pick<
  Partial<LinkCreate>,
  'link' | 'ios_url' | 'android_url' | 'rules' | 'variants'
>

/** Every URL that a link can send visitors to, and the field it stands in. */
export function destinationsOf(input: Destinations): { field: string; url: string }[] {
  const { link, ios_url, android_url, rules, variants } = input
  const all = [
    { field: 'link', url: link },
    { field: 'ios_url', url: ios_url },
    { field: 'android_url', url: android_url },
    ...(rules ?? []).map(({ to }, at) => ({ field: `rules.${at}.to`, url: to })),
    ...(variants ?? []).map(({ url }, at) => ({ field: `variants.${at}.url`, url })),
  ]
  return all.flatMap(({ field, url }) => (url ? [{ field, url }] : []))
}
