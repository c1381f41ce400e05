// Opens every screen of the dashboard as a first visit on a slow phone and prints a table of what it took:
// node scripts/first-visit.ts
import type { Browser, BrowserContext } from 'playwright-core'
import { newVisitor, signUp } from '../e2e/dashboard/browser.ts'
import { furnish } from '../e2e/dashboard/furnish.ts'
import { startWaymark } from '../e2e/support/waymark.ts'
import { launchBrowser } from './services/chromium.ts'

const BYTES_PER_SECOND = 1.6e6 / 8
const LATENCY_MS = 150
const CPU_SLOWDOWN = 4
/** Fonts follow when the screen is idle; they are counted apart. */
const SETTLED_MS = 6000

const outside = ['/app/sign-in', '/app/sign-up', '/app/forgot-password', '/app/reset-password?token=x']
const inside = [
  '/app/',
  '/app/links',
  '/app/links/spring',
  '/app/links/spring?view=rules',
  '/app/links/spring?view=variants',
  '/app/links/spring?view=try',
  '/app/links/spring?view=history',
  '/app/statistics',
  '/app/codes',
  '/app/codes/qr/new',
  '/app/codes/barcode/new',
  '/app/pages',
  '/app/pages/new',
  '/app/utm',
  '/app/trash',
  '/app/settings',
  '/app/settings?tab=webhooks',
  '/app/settings?tab=domains',
]

interface Visit {
  readonly path: string
  readonly firstPaintMs: number
  readonly usableMs: number
  readonly kilobytes: number
  readonly fontKilobytes: number
  readonly layoutShift: number
}

const OBSERVE = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  // Usable: the heading of the screen is there and nothing is a placeholder any more.
  window.usable = 0
  new MutationObserver(() => {
    const isReady = document.querySelector('#root h1') !== null && document.querySelector('.skeleton') === null
    if (!isReady) window.usable = 0
    else if (window.usable === 0) window.usable = performance.now()
  }).observe(document, { childList: true, subtree: true })
`

/** The session of a signed-in context in a fresh one: nothing is cached, as on a first visit. */
async function freshContext(browser: Browser, url: string, cookies: Cookies): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
  })
  await context.addCookies(cookies)
  return context
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

async function visit(browser: Browser, url: string, cookies: Cookies, path: string): Promise<Visit> {
  const context = await freshContext(browser, url, cookies)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  const fonts = new Set<string>()
  let bytes = 0
  let fontBytes = 0
  session.on('Network.requestWillBeSent', ({ requestId, type }) => type === 'Font' && fonts.add(requestId))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (fonts.has(requestId)) fontBytes += encodedDataLength
    else bytes += encodedDataLength
  })
  await page.addInitScript(OBSERVE)
  await page.goto(path)
  // A function, not a text: the content security policy forbids evaluating text.
  await page.waitForFunction(() => (globalThis as unknown as { usable: number }).usable > 0)
  await page.waitForTimeout(SETTLED_MS)
  const measured = (await page.evaluate(
    `({ paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0, usable: window.usable, shift: window.shift })`,
  )) as { paint: number; usable: number; shift: number }
  await context.close()
  return {
    path,
    firstPaintMs: measured.paint,
    usableMs: measured.usable,
    kilobytes: bytes / 1024,
    fontKilobytes: fontBytes / 1024,
    layoutShift: measured.shift,
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const waymark = await startWaymark()
const browser = await launchBrowser()
try {
  const owner = await newVisitor(browser, waymark)
  await signUp(owner.page)
  await furnish(owner.page)
  const cookies = await owner.context.cookies()
  console.log('| screen | first paint | usable | script, style and data | fonts, afterwards | layout shift |')
  console.log('|---|---:|---:|---:|---:|---:|')
  for (const path of [...outside, ...inside]) {
    const seen = await visit(browser, waymark.url, outside.includes(path) ? [] : cookies, path)
    console.log(
      `| \`${seen.path}\` | ${seconds(seen.firstPaintMs)} | ${seconds(seen.usableMs)} | ${Math.round(seen.kilobytes)} KB | ${Math.round(seen.fontKilobytes)} KB | ${seen.layoutShift.toFixed(3)} |`,
    )
  }
} finally {
  await browser.close()
  await waymark.stop()
}
