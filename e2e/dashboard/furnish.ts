/// <reference lib="dom" />
import type { Page } from 'playwright-core'

type Make = (path: string, body: object) => Promise<{ uuid: string }>

const makerOf =
  (page: Page): Make =>
  (path, body) =>
    page.evaluate(
      async ([path, body]) => {
        const response = await fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        const answer = (await response.json()) as { data: { uuid: string }; error?: string }
        if (!response.ok) throw new Error(`${path}: ${answer.error}`)
        return answer.data
      },
      [path, JSON.stringify(body)] as const,
    )

/** Creates a few of each resource with the session of the page. */
export async function furnish(page: Page): Promise<{ uuids: { qr: string; page: string } }> {
  const make = makerOf(page)
  await make('/v1/generate-link', {
    link: 'https://example.com/catalogue/spring?page=1',
    customLink: 'spring',
    description: 'Spring catalogue',
    tag: 'shop',
  })
  await make('/v1/generate-link', { link: 'https://example.com/secret', password: 'x', max_clicks: 5 })
  await make('/v1/generate-link', {
    link: 'https://example.com/secret',
    customLink: 'locked',
    password: 'x',
  })
  await make('/v1/generate-link', {
    link: 'https://example.com/later',
    customLink: 'later',
    starts_at: '2040-01-01',
  })
  await make('/v1/generate-link', {
    link: 'https://example.com/routed',
    customLink: 'routed',
    rules: [
      {
        if: { country: ['DE'], device: ['mobile'], after: '2030-01-01T00:00:00Z' },
        to: 'https://example.com/de',
      },
    ],
    variants: [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }],
  })
  await make('/v1/generate-link', { link: 'https://example.com/app', ios_url: 'https://apple.example/app' })
  const qr = await make('/v1/generate-qr', {
    url: 'https://example.com/menu',
    pattern: 'dots',
    color: '#0b5d4a',
    description: 'Menu, on the tables',
    dynamic: true,
  })
  await make('/v1/generate-qr', { url: 'https://example.com/faint', pattern: 'squares', color: '#ffd9a8' })
  await make('/v1/generate-barcode', { url: 'https://example.com/p/1', text: 'Article 1' })
  for (const [source, medium] of [
    ['newsletter', 'email'],
    ['Flyer', 'qr'],
  ])
    await make('/v1/generate-utm', {
      url: 'https://example.com/landing',
      source,
      medium,
      campaign: 'spring-sale',
      content: 'header',
      shorten: true,
    })
  // Subscribed to an event that no test triggers, so that nothing is sent.
  await make('/v1/add-webhook', { url: 'https://receiver.example/hook', events: ['barcode.removed'] })
  const built = await make('/v1/generate-page', {
    title: 'River Festival',
    subtext: 'Three days of music by the water.',
    slug: 'river-festival',
    domain: 'localhost',
    logoStatus: 1,
    logoText: 'River',
    logoPosition: 'top-center',
    theme: { bggradient: ['#0c3b63', '#156179'], buttonBg: '#ffffff', buttonText: '#0c3b63' },
    buttons: [
      { id: 1, status: 1, label: 'Tickets', url: 'https://example.com/tickets' },
      { id: 2, status: 1, label: 'Programme', url: 'https://example.com/programme' },
    ],
    socialIcons: [{ icon: 'instagram', link: 'https://instagram.com/river' }],
  })
  return { uuids: { qr: qr.uuid, page: built.uuid } }
}

/** Creates a few resources whose names are as long as they may be, without a space, or written from right to left. */
export async function furnishLongNames(page: Page): Promise<void> {
  const make = makerOf(page)
  const emoji = '🧭'.repeat(255)
  const word = 'Donaudampfschiff'.repeat(15)
  const arabic = 'كتالوج الربيع، نسخة الطباعة رقم ٣'
  const url = `https://example.com/${'deep/'.repeat(150)}`
  await make('/v1/generate-link', {
    link: url,
    customLink: 'emoji',
    title: emoji,
    tags: [arabic, word.slice(0, 50)],
  })
  await make('/v1/generate-link', { link: url, customLink: 'x'.repeat(64), title: word })
  const ended = await make('/v1/generate-link', { link: url, customLink: 'ended', title: arabic })
  await make('/v1/remove-links', { uuid: ended.uuid })
  await make('/v1/generate-qr', { url: 'https://example.com', pattern: 'dots', description: emoji })
  await make('/v1/generate-utm', { url, source: emoji, medium: arabic, campaign: word, content: emoji })
  await make('/v1/generate-page', {
    title: word,
    slug: 'long-names',
    domain: 'localhost',
    logoStatus: 0,
    logoPosition: 'top-center',
    theme: { bggradient: ['#0c3b63', '#156179'] },
    buttons: [{ id: 1, status: 1, label: emoji, url }],
  })
}
