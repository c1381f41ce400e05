import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../scripts/services/chromium.ts'
import { PageServer } from '../test/page-server.ts'
import { bare, full, uuid } from '../test/views.ts'
import type { PageView } from './index.ts'

const own = (full.images ?? []).filter(({ src }) => src.startsWith('/'))
const views: Record<string, PageView> = {
  bare,
  full: { ...full, images: own },
  gallery: { ...bare, images: [...own, ...own.map((image) => ({ ...image, id: image.id + 10 }))] },
  background: { ...bare, theme: { bgColor: '#0d3b66' }, logoText: 'Lindqvist', logoPosition: 'bottom-right' },
  shape: { ...bare, topShape: { color: '#ff7a59', height: 2000 }, logoText: 'Lindqvist' },
  gradient: { ...bare, theme: { bggradient: ['#ffffff', '#000000'] } },
  long: {
    ...bare,
    title: 'Donaudampfschifffahrtsgesellschaft'.repeat(7),
    subtext: 'W'.repeat(500),
    logoText: 'W'.repeat(50),
    buttons: [{ id: 1, label: 'W'.repeat(255), url: 'https://example.com' }],
  },
}

let browser: Browser
const server = new PageServer(views)
beforeAll(async () => {
  await server.listen()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** Opens a page and checks that there are no console messages and no requests to other hosts. */
const visit = async (
  name: string,
  options: BrowserContextOptions,
  check: (page: Page) => Promise<void>,
): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, ...options })
  try {
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      // Navigation by the visitor is not a request of the page.
      if (!request.url().startsWith(server.origin) && !request.isNavigationRequest())
        complaints.push(`asked ${request.url()}`)
    })
    await page.goto(`${server.origin}/${name}`)
    await check(page)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string }[] }[]
}

describe.each(Object.keys(views))('%s', (name) => {
  it('axe finds no problems, in light and dark mode', async () => {
    await visit(name, { bypassCSP: true }, async (page) => {
      await page.addScriptTag({ content: axe.source })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const { violations } = (await page.evaluate('axe.run()')) as AxeResult
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
      }
    })
  })

  it('is never wider than the window, from 320 to 2560 px', async () => {
    await visit(name, {}, async (page) => {
      for (const width of [320, 390, 768, 1280, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
    })
  })
})

describe('with only the keyboard', () => {
  it('reaches every link in reading order', async () => {
    await visit('full', { viewport: { width: 1280, height: 800 } }, async (page) => {
      const reached: unknown[] = []
      for (let press = 0; press < 30; press++) {
        await page.keyboard.press('Tab')
        const href = await page.evaluate('document.activeElement?.getAttribute("href")')
        if (href !== null && reached.at(-1) !== href) reached.push(href)
      }
      expect(reached.slice(0, 4)).toEqual([
        'https://shop.example.com/?a=1&b=2',
        'https://example.com/class',
        'https://example.com/i',
        'https://example.com/m',
      ])
    })
  })

  it('moves the gallery', async () => {
    await visit('gallery', { reducedMotion: 'reduce' }, async (page) => {
      const reel = page.locator('.reel')
      await reel.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => reel.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
    })
  })
})

it('a click is reported to its page', async () => {
  await visit('bare', {}, async (page) => {
    await page.route('https://**', (route) => route.fulfill({ body: 'elsewhere' }))
    await page.locator('a', { hasText: 'Shop' }).click()
    await expect.poll(() => server.reported).toEqual([`POST /e/${uuid}/button/1`])
  })
})
