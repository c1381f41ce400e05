/// <reference lib="dom" />
// Takes the pictures of docs/tour.md from a running server, in Chromium: npm run screenshots
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { newVisitor, signUp } from '../e2e/dashboard/browser.ts'
import { furnish } from '../e2e/dashboard/furnish.ts'
import { startWaymark, type Waymark } from '../e2e/support/waymark.ts'
import { launchBrowser } from './services/chromium.ts'

interface Shot {
  readonly name: string
  readonly path: string
  readonly isPhone?: boolean
  readonly isDark?: boolean
  /** Steps before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

const openPalette = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k')
  await page.getByRole('listbox', { name: 'Commands' }).getByRole('option').first().waitFor()
}

const createKey = async (page: Page): Promise<void> => {
  await page.getByLabel('Name').fill('Order emails')
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('dialog', { name: 'New API key' }).waitFor()
}

const FILE = `link,slug,tag
https://example.com/spring/catalogue,catalogue,shop
https://example.com/newsletter,letter,mail
not a link,broken,
https://example.com/jobs,jobs,
`

const previewImport = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import CSV' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('table').first().waitFor()
}

/** Before there is an account. */
const OUTSIDE: readonly Shot[] = [
  { name: 'sign-up', path: '/app/sign-up' },
  { name: 'sign-in-dark', path: '/app/sign-in', isDark: true },
  { name: 'forgot-password', path: '/app/forgot-password' },
  { name: 'reset-password', path: '/app/reset-password?token=x' },
]

const shotsOf = (uuids: { qr: string; page: string }): readonly Shot[] => [
  { name: 'home', path: '/app/' },
  { name: 'links', path: '/app/links' },
  { name: 'new-link', path: '/app/links?create=true' },
  { name: 'import', path: '/app/links', prepare: previewImport },
  { name: 'statistics', path: '/app/links/spring?compare=true' },
  { name: 'statistics-dark', path: '/app/links/spring', isDark: true },
  { name: 'rules', path: '/app/links/spring?view=rules' },
  { name: 'variants', path: '/app/links/landing?view=variants' },
  { name: 'history', path: '/app/links/spring?view=history' },
  { name: 'overview', path: '/app/statistics' },
  { name: 'codes', path: '/app/codes' },
  { name: 'qr-studio', path: `/app/codes/qr/${uuids.qr}` },
  { name: 'barcode-studio', path: '/app/codes/barcode/new?url=https://example.com' },
  { name: 'pages', path: '/app/pages' },
  { name: 'page-builder', path: `/app/pages/${uuids.page}` },
  { name: 'campaigns', path: '/app/utm' },
  { name: 'trash', path: '/app/trash' },
  { name: 'profile', path: '/app/settings' },
  { name: 'security', path: '/app/settings?tab=security' },
  { name: 'keys', path: '/app/settings?tab=keys' },
  { name: 'new-key', path: '/app/settings?tab=keys', prepare: createKey },
  { name: 'webhooks', path: '/app/settings?tab=webhooks' },
  { name: 'plan', path: '/app/settings?tab=plan' },
  { name: 'domains', path: '/app/settings?tab=domains' },
  { name: 'help', path: '/app/settings?tab=help' },
  { name: 'not-found', path: '/app/nowhere' },
  { name: 'palette', path: '/app/links', prepare: openPalette },
  { name: 'visitor-not-found', path: '/nothing-here' },
  { name: 'visitor-password', path: '/locked' },
  { name: 'visitor-preview', path: '/spring+' },
  { name: 'visitor-not-yet-dark', path: '/later', isDark: true },
  { name: 'home-dark', path: '/app/', isDark: true },
  { name: 'links-dark', path: '/app/links', isDark: true },
  { name: 'qr-studio-dark', path: `/app/codes/qr/${uuids.qr}`, isDark: true },
  { name: 'page-builder-dark', path: `/app/pages/${uuids.page}`, isDark: true },
  { name: 'settings-dark', path: '/app/settings?tab=keys', isDark: true },
  { name: 'docs', path: '/docs' },
  { name: 'home-phone', path: '/app/', isPhone: true },
  { name: 'links-phone-dark', path: '/app/links', isPhone: true, isDark: true },
  { name: 'statistics-phone', path: '/app/links/spring', isPhone: true },
  { name: 'qr-studio-phone', path: `/app/codes/qr/${uuids.qr}`, isPhone: true },
  { name: 'page-builder-phone', path: `/app/pages/${uuids.page}`, isPhone: true },
]

const SETTLED_MS = 1_500
const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
const folder = process.argv[2] ?? fileURLToPath(new URL('../docs/images', import.meta.url))

/** Visitors from several countries, by the country ranges of the bundled database. */
const VISITORS = [
  ['2.16.0.1', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'],
  ['81.2.69.142', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['8.8.8.8', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'],
  [
    '133.1.1.1',
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
  ],
] as const

async function visit(waymark: Waymark, code: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const [address, agent] = VISITORS[n % VISITORS.length] ?? VISITORS[0]
    const referer = n % 3 === 0 ? 'https://news.example/today' : 'https://search.example/'
    await fetch(`${waymark.url}/${code}`, {
      redirect: 'manual',
      headers: {
        'user-agent': agent,
        'x-forwarded-for': `${address.slice(0, address.lastIndexOf('.'))}.${n % 250}`,
        'accept-language': n % 2 === 0 ? 'de-DE' : 'en-GB',
        referer,
      },
    })
  }
}

/** Adds rules, variants and clicks to the resources of the tests. */
async function dress(waymark: Waymark, page: Page): Promise<{ qr: string; page: string }> {
  const { uuids } = await furnish(page)
  await page.evaluate(async () => {
    const call = async (path: string, body?: object): Promise<{ data: { uuid: string; link: string }[] }> => {
      const headers = { 'content-type': 'application/json' }
      const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(path, init)
      if (!response.ok) throw new Error(await response.text())
      return (await response.json()) as { data: { uuid: string; link: string }[] }
    }
    const [spring] = (await call('/v1/links?code=spring')).data
    await call('/v1/edit-links', {
      uuid: spring?.uuid,
      link: spring?.link,
      title: 'Spring catalogue',
      tags: ['shop', 'print'],
      rules: [
        { if: { country: ['DE', 'AT'] }, to: 'https://example.com/de/katalog' },
        { if: { device: ['mobile'], language: ['fr'] }, to: 'https://example.com/fr/mobile' },
      ],
    })
    await call('/v1/generate-link', {
      link: 'https://example.com/landing',
      customLink: 'landing',
      title: 'Landing page test',
      tags: ['campaign'],
      variants: [
        { url: 'https://example.com/landing/a', weight: 70, name: 'Short text' },
        { url: 'https://example.com/landing/b', weight: 30, name: 'With video' },
      ],
    })
    await call('/v1/generate-link', { link: 'https://example.com/winter', customLink: 'winter' })
    const [winter] = (await call('/v1/links?code=winter')).data
    await call('/v1/remove-links', { uuid: winter?.uuid })
  })
  await visit(waymark, 'spring', 60)
  await visit(waymark, 'landing', 24)
  return uuids
}

async function take(page: Page, shot: Shot): Promise<void> {
  const { name, path, isPhone = false, isDark = false, prepare } = shot
  await page.setViewportSize(isPhone ? PHONE : WIDE)
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  // Streams stay open, so the network is never idle.
  await page.waitForTimeout(SETTLED_MS)
  await page.evaluate('document.fonts.ready')
  // A function, not a text: the content security policy forbids evaluating text.
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
  )
  await prepare?.(page)
  await sharp(await page.screenshot())
    .webp({ quality: 80 })
    .toFile(`${folder}/dashboard-${name}.webp`)
}

mkdirSync(folder, { recursive: true })
const waymark = await startWaymark({ TRUST_PROXY: 'on' })
const browser = await launchBrowser()
try {
  const { page } = await newVisitor(browser, waymark)
  for (const shot of OUTSIDE) await take(page, shot)
  await signUp(page)
  const uuids = await dress(waymark, page)
  for (const shot of shotsOf(uuids)) await take(page, shot)
} finally {
  await browser.close()
  await waymark.stop()
}
