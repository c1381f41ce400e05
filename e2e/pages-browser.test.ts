import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../scripts/services/chromium.ts'
import { BROWSER, until } from './support/pages.ts'
import { get } from './support/requests.ts'
import { publish, showcase } from './support/showcase.ts'
import { type Account, startWaymark, type Waymark } from './support/waymark.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }

let waymark: Waymark
let account: Account
let browser: Browser
const addresses = new Map<string, string>()

beforeAll(async () => {
  waymark = await startWaymark()
  account = await waymark.account()
  for (const name of Object.keys(showcase)) addresses.set(name, await publish(waymark, account, name))
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await waymark?.stop()
})

/** Opens a page and holds it to its promises: nothing in the console, nothing asked of another host, nothing missing. */
const visit = async (
  name: string,
  options: BrowserContextOptions,
  check: (page: Page, asked: readonly string[]) => Promise<void>,
): Promise<void> => {
  // Chromium without a window says so, and would be counted as a machine.
  const context = await browser.newContext({ userAgent: BROWSER, ...options })
  try {
    const page = await context.newPage()
    const [complaints, asked]: [string[], string[]] = [[], []]
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      asked.push(new URL(request.url()).pathname)
      if (new URL(request.url()).origin !== waymark.url && !request.isNavigationRequest())
        complaints.push(`asked ${request.url()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(addresses.get(name) ?? '', { waitUntil: 'networkidle' })
    await check(page, asked)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

describe.each(Object.keys(showcase))('the %s page', (name) => {
  // Together: half of the time of each is the waiting until nothing more is asked of the network.
  it.concurrent.each([
    ['phone', phone, 'dark'],
    ['desktop', desktop, 'light'],
  ] as const)('has no fault on a %s (%o, %s)', async (_name, viewport, colorScheme) => {
    await visit(name, { viewport, colorScheme, bypassCSP: true }, async (page) => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
      const broken = await page.evaluate(
        `[...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src)`,
      )
      expect(broken).toEqual([])
      await page.addScriptTag({ content: axe.source })
      const { violations } = (await page.evaluate('axe.run()')) as AxeResult
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    })
  })

  it('is never wider than the window, from 320 to 2560 px', async () => {
    await visit(name, {}, async (page) => {
      for (const width of [320, 768, 2560]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
    })
  })

  it('lets the keyboard reach every link, and shows where it is', async () => {
    await visit(name, { viewport: desktop }, async (page) => {
      const links = (await page.evaluate(`[...document.links].map((link) => link.href)`)) as string[]
      const reached = new Set<string>()
      for (let press = 0; press < links.length + 12; press++) {
        await page.keyboard.press('Tab')
        const found = (await page.evaluate(
          `({ href: document.activeElement?.href ?? null, outline: getComputedStyle(document.activeElement).outlineStyle })`,
        )) as { href: string | null; outline: string }
        if (found.href === null) continue
        reached.add(found.href)
        expect(found.outline).toBe('solid')
      }
      expect([...reached]).toEqual(links)
    })
  })
})

it('the bare page is one document, one small script and an icon', async () => {
  await visit('bare', {}, async (_page, asked) => {
    expect(asked.toSorted()).toEqual(['/e/clicks.js', '/o/bare.svg', '/p/bare'])
  })
})

it('pictures come as small as they are shown, and modern where that is known', async () => {
  await visit('hero', { viewport: phone, deviceScaleFactor: 2 }, async (page) => {
    const source = (await page.evaluate(`document.querySelector('.hero img').currentSrc`)) as string
    expect(source).toMatch(/\?w=960$/)
    const avif = await until(
      async () =>
        (await fetch(source, { headers: { accept: 'image/avif,image/webp' } })).headers.get('content-type'),
      (type) => type === 'image/avif',
    )
    expect(avif).toBe('image/avif')
  })
})

it('the gallery moves by keyboard and without script', async () => {
  await visit(
    'gallery',
    { viewport: phone, javaScriptEnabled: true, reducedMotion: 'reduce' },
    async (page) => {
      const reel = page.locator('.reel')
      await reel.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => reel.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100)
    },
  )
})

it('a click on a button goes where it should, and is counted', async () => {
  const { body } = await get(waymark, account, '/v1/pages?search=mara')
  const { uuid } = body.data[0] as { uuid: string }
  await visit('bare', {}, async (page) => {
    await page.route('https://example.com/**', (route) => route.fulfill({ body: 'elsewhere' }))
    await page.locator('a', { hasText: 'Shop the winter kiln' }).click()
    await page.waitForURL('https://example.com/shop')
  })
  const counted = await until(
    async () =>
      (await get(waymark, account, `/v1/analytics?uuid=${uuid}&by=button`)).body.data.breakdown as unknown[],
    (rows) => rows.length > 0,
  )
  expect(counted).toMatchObject([{ value: '1', clicks: 1 }])
})
