/// <reference lib="dom" />
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, newVisitor, soon, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { furnish, furnishLongNames } from './furnish.ts'
import { findingsOf, forVisitors, inside, LOOKS, outside, screenOpener, settled } from './screens.ts'

const SHIFT_LIMIT = 0.05

const OBSERVE_SHIFTS = `
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

/** In the page: the fonts that were there when the script drew the first screen. */
function noteFontsOfFirstScreen(): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector('h1') === null) return
    observer.disconnect()
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
    document.documentElement.dataset['fonts'] = loaded
      .map(({ family, weight, status }) => `${family} ${weight} ${status}`.replaceAll('"', ''))
      .join()
  })
  observer.observe(document, { childList: true, subtree: true })
}

describe('every screen, wide and on a phone, in both themes', () => {
  let waymark: Waymark
  let browser: Browser
  let visitor: Visitor
  let uuids = { qr: '', page: '' }
  let open: (path: string) => Promise<void>

  openDashboard(async (opened) => {
    ;({ waymark, browser, visitor } = opened)
    open = await screenOpener(visitor.page)
  })

  let seen = 0
  /** With axe the looks take turns: all of them are part of `npm run test:release -- dashboard`. */
  const inspect = async (): Promise<void> => {
    expect(await findingsOf(visitor.page, LOOKS, LOOKS.slice(seen % 2, (seen++ % 2) + 1))).toEqual([])
    // Each screen answers for its own.
    expect(visitor.faults.splice(0)).toEqual([])
  }
  const titles = new Map<string, string>()
  const look = async (path: string): Promise<void> => {
    await open(path)
    await inspect()
    if (!path.startsWith('/app/')) return
    const title = await visitor.page.title()
    expect(title).toMatch(/^\S.* · Waymark$/)
    titles.set(path.replace(/\?(?!tab=).*/, ''), title)
    // One word for what is removed.
    expect(await visitor.page.locator('body').innerText()).not.toMatch(
      /\b(?:bin|recycle|recently deleted)\b/i,
    )
  }

  test.each(outside)('%s', look)

  test('after signing up', async () => {
    await createAccount(visitor.page)
    await visitor.page.goto('/app/')
  })

  test.each(['/app/', '/app/links', '/app/codes', '/app/pages', '/app/utm'])('%s, still empty', look)

  test('after creating a few of everything', async () => {
    uuids = (await furnish(visitor.page)).uuids
    await furnishLongNames(visitor.page)
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    await fetch(`${waymark.url}/spring`, { redirect: 'manual', headers })
    await soon(() =>
      visitor.page.evaluate(async () => {
        const response = await fetch('/v1/links?code=spring')
        return ((await response.json()) as { data: { clicks: number }[] }).data[0]?.clicks
      }),
    ).toBe(1)
  })

  test.each(inside)('%s', look)

  test.each(forVisitors)('%s, for visitors', look)

  test('a saved QR code', () => look(`/app/codes/qr/${uuids.qr}`))

  test('a saved page', () => look(`/app/pages/${uuids.page}`))

  test('each has a title of its own', () => {
    const own = [...titles].filter(([path]) => path !== '/app/links/routed')
    expect(new Set(own.map(([, title]) => title)).size).toBe(own.length)
  })

  test('a change of theme animates nothing for a user who prefers reduced motion', async () => {
    const { page } = visitor
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/app/links')
    await page.locator('tbody tr').first().waitFor()
    await page.evaluate(() => {
      addEventListener('transitionrun', () => document.documentElement.setAttribute('data-animated', ''))
    })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-theme="dark"]').waitFor()
    await settled(page)
    expect(await page.locator('html[data-animated]').count()).toBe(0)
  })

  test('with the palette and a menu open', async () => {
    const { page } = visitor
    await page.goto('/app/links')
    await page.locator('tbody tr').first().waitFor()
    await page
      .getByRole('button', { name: /^More for/ })
      .first()
      .click()
    await inspect()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('listbox', { name: 'Commands' }).getByRole('option').first().waitFor()
    await inspect()
  })

  describe('when it is loaded on a phone', () => {
    let phone: Visitor
    /** Fonts arrive last. */
    let shown = Promise.withResolvers<void>()

    beforeAll(async () => {
      phone = await newVisitor(browser, { url: waymark.url, isPhone: true })
      await phone.page.addInitScript(OBSERVE_SHIFTS)
      await phone.page.route('**/*.woff2', async (route) => {
        await shown.promise
        await route.continue()
      })
    })
    afterAll(() => phone.context.close())

    const shiftOf = async (path: string): Promise<number> => {
      const { page } = phone
      shown = Promise.withResolvers<void>()
      // The load is over when the fonts are there.
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      shown.resolve()
      return page.evaluate(shiftSoFar)
    }

    test('shows sign-in in its own font, with a true bold, and does not move', async () => {
      expect(await shiftOf('/app/sign-in')).toBeLessThan(SHIFT_LIMIT)
      const { page } = await newVisitor(browser, { url: waymark.url })
      await page.addInitScript(noteFontsOfFirstScreen)
      await page.goto('/app/sign-in')
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.dataset['fonts'])).toBe(
        'Overpass 400 800 loaded',
      )
      await page.context().close()
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
      await phone.context.addCookies(await visitor.context.cookies())
      expect(await shiftOf(path)).toBeLessThan(SHIFT_LIMIT)
    })

    test.each(LOOKS)('has its frame before the script, $width pixels wide', async ({ width, height }) => {
      // The browser remembers that it is signed in.
      const page = await phone.context.newPage()
      await page.setViewportSize({ width, height })
      const frame = (): Promise<(number | undefined)[]> =>
        Promise.all(
          ['Links', 'Campaigns'].map(async (name) => {
            const label = page.getByRole('link', { name }).filter({ visible: true }).getByText(name)
            const box = await label.first().boundingBox()
            return box === null ? undefined : box.y + box.height / 2
          }),
        )
      await page.route('**/assets/index-*.js', (route) => route.abort())
      await page.goto('/app/links')
      const before = await frame()
      await page.unroute('**/assets/index-*.js')
      // It stays until the screen can take its place.
      const asked = Promise.withResolvers<void>()
      const shown = Promise.withResolvers<void>()
      await page.route('**/v1/profile', async (route) => {
        asked.resolve()
        await shown.promise
        await route.continue()
      })
      await page.goto('/app/links', { waitUntil: 'domcontentloaded' })
      await asked.promise
      expect(await frame()).toEqual(before)
      shown.resolve()
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      const after = await frame()
      await page.close()
      for (const [at, y] of before.entries()) expect(Math.abs((y ?? 0) - (after[at] ?? NaN))).toBeLessThan(3)
    })
  })
})
