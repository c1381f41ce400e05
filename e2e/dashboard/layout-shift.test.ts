/// <reference lib="dom" />
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { newVisitor, signUp, type Visitor } from './browser.ts'
import { furnish } from './furnish.ts'

const SHIFT_LIMIT = 0.05

const OBSERVE = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`

describe('a screen on a phone whose fonts arrive last', () => {
  let waymark: Waymark
  let browser: Browser
  let owner: Visitor

  beforeAll(async () => {
    waymark = await startWaymark()
    browser = await launchBrowser()
    owner = await newVisitor(browser, waymark)
    await signUp(owner.page)
    await furnish(owner.page)
  })
  afterAll(async () => {
    await browser.close()
    await waymark.stop()
  })

  test.each([
    '/app/',
    '/app/links',
    '/app/links/spring',
    '/app/statistics',
    '/app/codes',
    '/app/codes/qr/new',
    '/app/codes/barcode/new',
    '/app/pages',
    '/app/pages/new',
    '/app/utm',
    '/app/settings',
  ])('%s does not move', async (path) => {
    const { context, page } = await newVisitor(browser, { url: waymark.url, isPhone: true })
    await context.addCookies(await owner.context.cookies())
    await page.addInitScript(OBSERVE)
    const { promise: isShown, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/*.woff2', async (route) => {
      await isShown
      await route.continue()
    })
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    const fonts = page.waitForResponse('**/*.woff2')
    release()
    await fonts
    await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)))
    const shift = await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)
    await context.close()
    expect(shift).toBeLessThan(SHIFT_LIMIT)
  })

  test('shows the navigation before its script arrives', async () => {
    // The browser remembers that it is signed in.
    const page = await owner.context.newPage()
    await page.route('**/assets/index-*.js', (route) => route.abort())
    await page.goto('/app/links')
    await page.getByRole('link', { name: 'Campaigns' }).waitFor()
    await page.close()
  })
})
