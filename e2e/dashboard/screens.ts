/// <reference lib="dom" />
import axe from 'axe-core'
import type { Page, Request } from 'playwright-core'

/* Every screen of the dashboard, and what is looked at on each. */

/** Before the sign-in. */
export const outside = [
  '/app/sign-in',
  '/app/sign-up',
  '/app/forgot-password',
  '/app/reset-password?token=x',
  '/app/confirm-email?token=x',
  '/app/invitation?token=x',
]

/** Of an account that furnish.ts has filled. */
export const inside = [
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
export const forVisitors = ['/nothing-here', '/emoji+', '/locked', '/later', '/ended']

export interface Look {
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
}

/** Each width and each theme. All combinations are part of `npm run test:release -- dashboard`. */
export const LOOKS: readonly Look[] = [
  { width: 1280, height: 900, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
]

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** The violations that axe finds, with their elements: of an open dialog or menu alone, which covers the rest. */
const violations = async (page: Page): Promise<string[]> => {
  const found = (await page.evaluate(
    `axe.run(document.querySelector('dialog:modal, :popover-open') ?? document, { resultTypes: ["violations"], iframes: false }).then((result) => result.violations)`,
  )) as Violation[]
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Waits until nothing on the page moves or fades any more: what one change sets off may set off another. */
export const settled = (page: Page): Promise<void> =>
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

/** Opens screens one after the other in one page. */
export async function screenOpener(page: Page): Promise<(path: string) => Promise<void>> {
  const requests = new Set<Request>()
  // An open stream would never end. A route would do as well, but Playwright then switches the HTTP cache off.
  await page.addInitScript(silenceEventSource)
  page.on('request', (request) => requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  return async (path) => {
    // Without loading the dashboard again, which takes longer than most screens.
    if (!path.startsWith('/app/') || !page.url().includes('/app/')) await page.goto(path)
    else
      await page.evaluate((to) => {
        history.pushState({}, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, path)
    // A screen fetches its script, then its data: it is there when some frames pass without a request.
    for (let calm = 0; calm < 3; calm = requests.size === 0 ? calm + 1 : 0) await settled(page)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
}

/**
 * What is wrong with the open screen: what axe finds in the inspected looks, which takes most of the time, and what is wider
 * than the window in any.
 */
export async function findingsOf(
  page: Page,
  looks: readonly Look[],
  inspected: readonly Look[] = looks,
): Promise<string[]> {
  const findings: string[] = []
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  for (const look of looks) {
    const { width, height, theme } = look
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme })
    // Pages for visitors follow the browser alone.
    if (page.url().includes('/app/') && !page.url().includes('/app/shared/'))
      await page.locator(`html[data-theme="${theme}"]`).waitFor()
    await settled(page)
    const seen = inspected.includes(look) ? await violations(page) : []
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 0) seen.push(`${overflow} pixels wider than the window`)
    findings.push(...seen.map((finding) => `${theme}, ${width} pixels wide: ${finding}`))
  }
  return findings
}
