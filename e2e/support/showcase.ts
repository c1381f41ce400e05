import { logo, paint, scenes } from './artwork.ts'
import { upload } from './pages.ts'
import { multipart, type Part, post } from './requests.ts'
import type { Account, Waymark } from './waymark.ts'

const networks = ['instagram', 'facebook', 'whatsapp', 'twitter', 'youtube']

const buttons = (entries: readonly (readonly [string, string | null])[]): Part[] =>
  entries.flatMap(([label, url]) => [
    { name: 'buttons[][label]', value: label },
    ...(url === null ? [] : [{ name: 'buttons[][url]', value: url }]),
  ])

const icons = (links: readonly string[]): Part[] =>
  links.flatMap((name) => [
    { name: 'socialIcons[][name]', value: name },
    { name: 'socialIcons[][link]', value: `https://example.com/${name}` },
  ])

const theme = (fields: Record<string, string>): Part[] =>
  Object.entries(fields).map(([name, value]) => ({ name: `theme[0][${name}]`, value }))

const pictures = async (count: number): Promise<Part[]> => {
  const painted = await Promise.all(scenes.slice(0, count).map(paint))
  return painted.map((bytes) => upload('images[]', bytes))
}

/** Pages as people would make them: one that leaves everything to us, and some that do not. */
export const showcase: Record<string, () => Promise<Part[]>> = {
  bare: async () => [
    { name: 'title', value: 'Mara Lindqvist' },
    { name: 'subtext', value: 'Ceramics from a small studio in Malmö.\nSlow, sturdy, made for every day.' },
    { name: 'logoPosition', value: 'top-center' },
    // A page needs a picture; this one is not shown.
    { name: 'images[0][src]', value: 'https://pictures.example/hidden.jpg' },
    { name: 'images[0][status]', value: '0' },
    ...buttons([
      ['Shop the winter kiln', 'https://example.com/shop'],
      ['Book a wheel-throwing class', 'https://example.com/class'],
      ['Open on Fridays, 10 to 18', null],
    ]),
    ...icons(networks),
  ],
  hero: async () => [
    { name: 'title', value: 'Cabins above the tree line' },
    { name: 'subtext', value: 'Four wooden houses, a sauna, and nobody else for an hour in any direction.' },
    { name: 'logoPosition', value: 'top-left' },
    { name: 'logoText', value: 'Hochalm' },
    upload('logo', await logo('#c2410c')),
    ...(await pictures(1)),
    ...buttons([
      ['See which nights are free', 'https://example.com/nights'],
      ['How to get up here', 'https://example.com/way'],
    ]),
    ...icons(['instagram', 'facebook']),
  ],
  full: async () => [
    { name: 'title', value: 'Studio Nordlys' },
    { name: 'subtitle', value: 'Prints, paintings and one very patient dog.' },
    { name: 'domain', value: 'localhost' },
    { name: 'logoPosition', value: 'top-center' },
    { name: 'logoText', value: 'Nordlys' },
    { name: 'logoStatus', value: '1' },
    upload('logo', await logo('#4c1d95')),
    ...(await pictures(3)),
    ...[
      ['1', 'The new prints are here', 'https://example.com/prints'],
      ['2', 'Commissions for spring', 'https://example.com/commissions'],
      ['3', 'Write to the dog', 'https://example.com/dog'],
    ].flatMap(([id = '', label = '', url = ''], at) => [
      { name: `buttons[${at}][id]`, value: id },
      { name: `buttons[${at}][status]`, value: '1' },
      { name: `buttons[${at}][label]`, value: label },
      { name: `buttons[${at}][url]`, value: url },
    ]),
    { name: 'theme[bggradient][]', value: '#3b1d6e' },
    { name: 'theme[bggradient][]', value: '#7a2b8f' },
    ...Object.entries({
      bodyBg: '#efe6ff',
      text: '#fdf7ff',
      subtext: '#e6d8fa',
      buttonBg: '#ffd166',
      buttonText: '#2b1055',
      logoBg: '#ffffff',
      socialColor: '#ffe9b0',
      borderRadius: '28px',
      boxShadow: '0 30px 80px rgba(59, 29, 110, 0.35)',
    }).map(([name, value]) => ({ name: `theme[${name}]`, value })),
    { name: 'topShape[color]', value: '#ffd166' },
    { name: 'topShape[height]', value: '150' },
    { name: 'topShape[clip]', value: 'polygon(0 0, 100% 0, 100% 55%, 0 100%)' },
    { name: 'socialAlign', value: 'center' },
    ...networks.flatMap((icon, at) => [
      { name: `socialIcons[${at}][icon]`, value: icon },
      { name: `socialIcons[${at}][link]`, value: `https://example.com/${icon}` },
    ]),
  ],
  gallery: async () => [
    { name: 'title', value: 'Three walks before breakfast' },
    { name: 'subtext', value: 'A field diary, one picture a morning.' },
    { name: 'logoPosition', value: 'bottom-right' },
    { name: 'logoText', value: 'Slow Fields' },
    ...(await pictures(3)),
    ...buttons([
      ['Read the diary', 'https://example.com/diary'],
      ['Order the booklet', 'https://example.com/booklet'],
    ]),
    ...icons(['youtube', 'instagram']),
    ...theme({ bgColor: '#0f2f2b', buttonBgColor: '#e9f5db', buttonTextColor: '#12302b' }),
  ],
}

/** Publishes one of them; its address. */
export async function publish(waymark: Waymark, account: Account, name: string): Promise<string> {
  const parts = await showcase[name]?.()
  if (parts === undefined) throw new Error(`there is no page ${name}`)
  const { status, body } = await post(
    waymark,
    account,
    '/v1/generate-page',
    multipart([{ name: 'slug', value: name }, ...parts]),
  )
  if (status !== 201) throw new Error(`${name}: ${JSON.stringify(body)}`)
  return body.data.page_url as string
}
