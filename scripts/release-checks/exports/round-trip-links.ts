import type { Input } from '@waymark/sdk'

/** A domain of the account besides the host of the instance. */
export const OTHER_HOST = 'links.example.org'
export const PASSWORD_EVERY = 1_000
/** Links that are renamed, so that they have an earlier short code. */
export const EARLIER_EVERY = 500

/** Values that files and spreadsheets often corrupt. */
const TEXTS = [
  '=1+1',
  "'quoted",
  "'=both",
  'comma, semicolon; tab\t and "quotes"',
  'two\r\nlines\n',
  ' spaces around ',
  'مرحبا \u200f(שלום)',
  '👩‍👩‍👧‍👦'.repeat(36),
  '\ufeffmark',
  '＝full width',
  '\\N',
  'null',
] as const

const textAt = (at: number): string => TEXTS[at % TEXTS.length] ?? ''

/** Every link has some of the fields in an export; codes that differ only in case are different links. */
export function linkAt(at: number): Input<'generateLink'> {
  const url = `https://example.com/${at}?n=${at}&text=%22,;#part-${at}`
  return {
    link: url,
    ...(at % 2 === 0 && { customLink: at % 4 === 0 ? `custom-${at}` : `Custom-${at - 2}` }),
    ...(at % 3 === 0 && { title: textAt(at) }),
    ...(at % 5 === 0 && { description: `${textAt(at + 1)}${at}` }),
    ...(at % 4 === 1 && { tags: [`tag ${at % 100}`, 'a,b', textAt(at)] }),
    ...(at % 6 === 1 && { domain: OTHER_HOST }),
    ...(at % 7 === 1 && { archived: true, forward_query: true }),
    ...(at % 11 === 1 && { starts_at: '2090-01-01T00:00:00.001Z', expire: '2099-05-06T07:08:09.010Z' }),
    ...(at % 13 === 1 && { redirect: 308, max_clicks: at + 1 }),
    ...(at % 17 === 1 && { ios_url: `${url}-ios`, android_url: `${url}-android` }),
    ...(at % 19 === 1 && { rules: [{ if: { country: ['DE'], query: ['x="y"'] }, to: `${url}-de` }] }),
    ...(at % 23 === 1 && {
      variants: [
        { url: `${url}-a`, weight: 1, name: 'A' },
        { url: `${url}-b`, weight: 9, name: Array.from(textAt(at)).slice(0, 20).join('') },
      ],
    }),
    ...(at % 29 === 1 && { preview: { title: textAt(at), description: textAt(at + 1) } }),
    ...(at % PASSWORD_EVERY === 0 && { password: 'a password' }),
  }
}
