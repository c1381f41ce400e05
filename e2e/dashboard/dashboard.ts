import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { newVisitor, type Visitor, type VisitorOptions } from './browser.ts'

interface Opened {
  readonly waymark: Waymark
  readonly browser: Browser
}

interface Dashboard extends Opened {
  readonly visitor: Visitor
  /** The page of the visitor. */
  readonly page: Page
}

interface DashboardOptions extends Omit<VisitorOptions, 'url'> {
  /** Of the server. */
  readonly env?: Record<string, string>
}

// A test file has one browser, and one server for all tests that need no other settings. They cost more than most tests.
let browser: Promise<Browser> | undefined
let waymark: Promise<Waymark> | undefined
afterAll(async () => {
  await (await browser)?.close()
  await (await waymark)?.stop()
})

/** For the tests of a `describe`: the browser and a server, opened and prepared before them. */
export function openBrowser(
  prepare: (opened: Opened) => void | Promise<void>,
  env?: Record<string, string>,
): void {
  let own: Waymark | undefined
  beforeAll(async () => {
    browser ??= launchBrowser()
    if (env === undefined) waymark ??= startWaymark()
    else own = await startWaymark(env)
    await prepare({ waymark: own ?? (await (waymark as Promise<Waymark>)), browser: await browser })
  })
  afterAll(() => own?.stop())
}

/** The same with one visitor, whose page is open. */
export function openDashboard(
  prepare: (dashboard: Dashboard) => void | Promise<void>,
  { env, ...options }: DashboardOptions = {},
): void {
  let visitor: Visitor | undefined
  openBrowser(async (opened) => {
    visitor = await newVisitor(opened.browser, { url: opened.waymark.url, ...options })
    await prepare({ ...opened, visitor, page: visitor.page })
  }, env)
  afterAll(() => visitor?.context.close())
}
