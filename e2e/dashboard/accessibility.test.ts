/// <reference lib="dom" />
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { signUp, soon, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { furnish, furnishLongNames } from './furnish.ts'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** The violations that axe finds, with their elements. */
const violations = async (page: Page, rules: readonly string[]): Promise<string[]> => {
  const only = rules.length === 0 ? '' : `runOnly: ${JSON.stringify(rules)}, `
  const found = (await page.evaluate(
    `axe.run(document, { ${only}resultTypes: ["violations"], iframes: false }).then((result) => result.violations)`,
  )) as Violation[]
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Waits until nothing on the page moves or fades any more: what one change sets off may set off another. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let calmFrames = 0; calmFrames < 2; calmFrames++) {
      await frame()
      const moving = document.getAnimations().filter(({ playState }) => playState !== 'finished')
      if (moving.length > 0) calmFrames = -1
      await Promise.allSettled(moving.map((animation) => animation.finished))
    }
  })

/** Streams of events never open; runs in the browser. */
const silenceEventSource = (): void => {
  class SilentEventSource extends EventTarget {
    static readonly CLOSED = 2
    readonly readyState = 0
    close(): void {}
  }
  Object.assign(globalThis, { EventSource: SilentEventSource })
}

const outside = [
  '/app/sign-in',
  '/app/sign-up',
  '/app/forgot-password',
  '/app/reset-password?token=x',
  '/app/confirm-email?token=x',
  '/app/invitation?token=x',
]

const inside = [
  '/app/',
  '/app/links',
  '/app/links?state=expired',
  '/app/links?state=all',
  '/app/links?create=true',
  '/app/links/spring?compare=true',
  '/app/links/emoji',
  '/app/links/routed?view=rules',
  '/app/links/routed?view=variants',
  '/app/links/routed?view=history',
  '/app/statistics',
  '/app/statistics?tag=shop&range=7d&country=DE&compare=true',
  '/app/codes',
  '/app/codes?kind=barcode',
  '/app/codes/qr/new?url=https://example.com',
  '/app/codes/barcode/new',
  '/app/pages',
  '/app/pages/new',
  '/app/utm',
  '/app/trash',
  '/app/settings',
  '/app/settings?tab=security',
  '/app/settings?tab=workspace',
  '/app/settings?tab=members',
  '/app/settings?tab=keys',
  '/app/settings?tab=tokens',
  '/app/settings?tab=audit',
  '/app/settings?tab=webhooks',
  '/app/settings?tab=plan',
  '/app/settings?tab=domains',
  '/app/settings?tab=help',
  '/app/nowhere',
]

/** What strangers see. */
const forVisitors = ['/nothing-here', '/emoji+', '/locked', '/later', '/ended']

const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

describe('every screen, wide and on a phone, in both themes', () => {
  let waymark: Waymark
  let visitor: Visitor
  let uuids = { qr: '', page: '' }

  openDashboard(async (opened) => {
    ;({ waymark, visitor } = opened)
    // An open stream would keep the network from ever being idle. A route would do as well, but Playwright then switches
    // the HTTP cache off, and every screen would load and compile the dashboard anew.
    await visitor.page.addInitScript(silenceEventSource)
  })

  /** Looks at a screen that is open: most of the time goes into opening it. */
  const inspect = async (root = 'html[data-theme="THEME"]'): Promise<void> => {
    const { page } = visitor
    await page.evaluate(axe.source)
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.locator(root.replace('THEME', colorScheme)).waitFor()
        await settled(page)
        // The dark theme changes colours only.
        const rules = colorScheme === 'dark' ? ['color-contrast'] : []
        expect(await violations(page, rules), `${colorScheme}, ${viewport.width} pixels wide`).toEqual([])
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `wider than ${viewport.width} pixels`).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize(WIDE)
  }

  const look = async (path: string): Promise<void> => {
    const { page } = visitor
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    // Pages for visitors follow the browser alone.
    await inspect(path.startsWith('/app/') ? undefined : 'html svg.sign')
    // Each screen answers for its own.
    expect(visitor.faults.splice(0)).toEqual([])
  }

  test.each(outside)('%s', look)

  test('after signing up', async () => {
    await signUp(visitor.page)
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

  test('a change of theme animates nothing for a user who prefers reduced motion', async () => {
    const { page } = visitor
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
})
