/// <reference lib="dom" />
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { launchBrowser, newVisitor, signUp, type Visitor } from './browser.ts'
import { furnish } from './furnish.ts'

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What axe finds serious or worse, told so that it can be mended. */
const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  const found = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"], iframes: false }).then((result) => result.violations)',
  )) as Violation[]
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

const outside = ['/app/sign-in', '/app/sign-up', '/app/forgot-password', '/app/reset-password?token=x']

const inside = [
  '/app/',
  '/app/links',
  '/app/links?archive=true',
  '/app/links?create=true',
  '/app/links/spring',
  '/app/codes',
  '/app/codes?kind=barcode',
  '/app/codes/qr/new?url=https://example.com',
  '/app/codes/barcode/new',
  '/app/pages',
  '/app/pages/new',
  '/app/utm',
  '/app/settings',
  '/app/settings?tab=security',
  '/app/settings?tab=keys',
  '/app/settings?tab=plan',
  '/app/settings?tab=domains',
  '/app/settings?tab=help',
  '/app/nowhere',
]

describe.each([
  { name: 'light, wide', isDark: false, isPhone: false },
  { name: 'dark, wide', isDark: true, isPhone: false },
  { name: 'light, phone', isDark: false, isPhone: true },
  { name: 'dark, phone', isDark: true, isPhone: true },
])('every screen, $name', ({ isDark, isPhone }) => {
  let waymark: Waymark
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    waymark = await startWaymark()
    browser = await launchBrowser()
    visitor = await newVisitor(browser, { url: waymark.url, isDark, isPhone })
  })
  afterAll(async () => {
    await browser.close()
    await waymark.stop()
  })

  const look = async (path: string): Promise<void> => {
    const { page } = visitor
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await violations(page), path).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${path} is wider than the screen`).toBeLessThanOrEqual(0)
    expect(visitor.faults, path).toEqual([])
  }

  test('before signing in', async () => {
    for (const path of outside) await look(path)
  })

  test('with nothing made yet', async () => {
    await signUp(visitor.page)
    for (const path of ['/app/', '/app/links', '/app/codes', '/app/pages', '/app/utm']) await look(path)
  })

  test('with everything made', async () => {
    const { uuids } = await furnish(visitor.page)
    for (const path of [...inside, `/app/codes/qr/${uuids.qr}`, `/app/pages/${uuids.page}`]) await look(path)
  })

  test('with the palette and a menu open', async () => {
    const { page } = visitor
    await page.goto('/app/links')
    await page.locator('tbody tr').first().waitFor()
    await page
      .getByRole('button', { name: /^More for/ })
      .first()
      .click()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    expect(await violations(page)).toEqual([])
  })
})
