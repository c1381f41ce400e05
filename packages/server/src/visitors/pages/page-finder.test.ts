import { expect, it } from 'vitest'
import { configOf } from '../../modules/pages/page-config.ts'
import type { PublicPage } from '../../modules/pages/pages.store.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { type Found, PageFinder } from './page-finder.ts'

const rowOf = (title: string): PublicPage => ({
  uuid: '019b76da-a800-7000-8000-000000000001',
  workspace_uuid: 'u',
  domain: '',
  slug: 'a',
  title,
  subtext: null,
  draft: null,
  config: JSON.stringify({
    logo: null,
    logoPosition: 'top-left',
    theme: {},
    topShape: {},
    socialIcons: [],
    images: [],
    buttons: [],
  }),
  link_uuid: null,
  qrcode_uuid: null,
  views: 0,
  version: title,
  created_by: null,
  created_at: 0,
  updated_at: 0,
  trashed_at: 0,
  removed_at: null,
})

/** A database whose responses are given by hand, so that they can arrive at any moment. */
const openFinder = () => {
  const asked: { answer(row: PublicPage | undefined): void; fail(error: Error): void }[] = []
  const clock = { ms: 0 }
  const finder = new PageFinder({
    store: {
      findPublicBySlug: () =>
        new Promise((resolve, reject) => {
          asked.push({ answer: resolve, fail: reject })
        }),
    },
    tombstones: { has: (name) => Promise.resolve(name[2] === 'erased') } as Tombstones,
    configOf,
    isSuspended: () => false,
    urlOf: ({ slug }) => `https://way.example/p/${slug}`,
    clock: () => clock.ms,
  })
  return { finder, asked, clock }
}

const htmlOf = (found: Found | undefined): string =>
  found?.kind === 'page' ? found.page.identity.body.toString() : String(found?.kind)

it('queries once for many callers, and then serves from memory until it expires', async () => {
  const { finder, asked, clock } = openFinder()
  const both = Promise.all([finder.find('', 'a', 'en'), finder.find('', 'a', 'en')])
  asked[0]?.answer(rowOf('one'))
  for (const found of await both) expect(htmlOf(found)).toContain('<title>one</title')
  expect(asked).toHaveLength(1)
  clock.ms = 4_999
  expect(htmlOf(finder.known('', 'a', 'en'))).toContain('one')
  clock.ms = 5_001
  expect(finder.known('', 'a', 'en')).toBeUndefined()
})

it('neither caches what was read before a change, nor returns it to later callers', async () => {
  const { finder, asked } = openFinder()
  const early = finder.find('', 'a', 'en')
  finder.forget('', 'a')
  const late = finder.find('', 'a', 'en')
  asked[1]?.answer(rowOf('new'))
  expect(htmlOf(await late)).toContain('new')
  asked[0]?.answer(rowOf('old'))
  expect(htmlOf(await early)).toContain('old')
  expect(htmlOf(finder.known('', 'a', 'en'))).toContain('new')
})

it('caches a page per language, and forgets them together', async () => {
  const { finder, asked } = openFinder()
  const [english, german] = [finder.find('', 'a', 'en'), finder.find('', 'a', 'de')]
  for (const question of asked) question.answer(rowOf('one'))
  expect(htmlOf(await english)).toContain('<html lang="en">')
  expect(htmlOf(await german)).toContain('<html lang="de">')
  const found = await german
  if (found.kind !== 'page') throw new Error('no page')
  expect(found.page.br.headers).toContain('Accept-Encoding, Accept-Language')
  finder.forget('', 'a')
  expect([finder.known('', 'a', 'en'), finder.known('', 'a', 'de')]).toEqual([undefined, undefined])
})

it('serves cached pages while the database is down, unless they were forgotten', async () => {
  const { finder, asked, clock } = openFinder()
  const first = finder.find('', 'a', 'en')
  asked[0]?.answer(rowOf('kept'))
  await first
  clock.ms = 60_000
  const second = finder.find('', 'a', 'en')
  asked[1]?.fail(new Error('away'))
  expect(htmlOf(await second)).toContain('kept')
  finder.expireAll()
  expect(finder.known('', 'a', 'en')).toBeUndefined()
  const expired = finder.find('', 'a', 'en')
  asked[2]?.fail(new Error('away'))
  expect(htmlOf(await expired)).toContain('kept')
  finder.forgetAll()
  const third = finder.find('', 'a', 'en')
  asked[3]?.fail(new Error('away'))
  await expect(third).rejects.toThrow('away')
})

it('distinguishes pages that never existed, were deleted, or have moved', async () => {
  const { finder, asked } = openFinder()
  const find = async (slug: string, row: PublicPage | undefined): Promise<Found> => {
    const found = finder.find('', slug, 'en')
    asked.at(-1)?.answer(row)
    return found
  }
  expect(await find('never', undefined)).toEqual({ kind: 'notFound' })
  expect(await find('erased', undefined)).toEqual({ kind: 'gone' })
  expect(await find('leaving', { ...rowOf('x'), removed_at: 1 })).toEqual({ kind: 'gone' })
  expect(await find('old', rowOf('x'))).toEqual({ kind: 'moved', location: 'https://way.example/p/a' })
  expect(finder.known('', 'never', 'en')).toEqual({ kind: 'notFound' })
  finder.forget('', 'never')
  expect(finder.known('', 'never', 'en')).toBeUndefined()
})
