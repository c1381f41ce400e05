/// <reference lib="dom" />
import type { Browser } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { newVisitor, signUp, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { furnish } from './furnish.ts'

const SHIFT_LIMIT = 0.05

const OBSERVE = `
  window.shifts = []
  window.observer = new PerformanceObserver((list) => window.shifts.push(...list.getEntries()))
  window.observer.observe({ type: 'layout-shift', buffered: true })
`

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
}

/** In the page, with the frame that shows the fonts: a shift is known once its frame is over. */
async function shiftSoFar(): Promise<number> {
  const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)
  await document.fonts.ready
  await frame()
  await frame()
  const { observer, shifts } = globalThis as unknown as { observer: PerformanceObserver; shifts: Shift[] }
  const all = [...shifts, ...(observer.takeRecords() as Shift[])]
  return all.reduce((sum, { value, hadRecentInput }) => (hadRecentInput ? sum : sum + value), 0)
}

describe('a screen on a phone whose fonts arrive last', () => {
  let waymark: Waymark
  let browser: Browser
  let owner: Visitor

  openDashboard(async (opened) => {
    ;({ waymark, browser, visitor: owner } = opened)
    await signUp(owner.page)
    await furnish(owner.page)
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
    const shift = await page.evaluate(shiftSoFar)
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
