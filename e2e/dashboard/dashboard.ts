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

/** For the tests of a `describe`: a server and a browser, opened and prepared before them and closed after them. */
export function openBrowser(
  prepare: (opened: Opened) => void | Promise<void>,
  env: Record<string, string> = {},
): void {
  let waymark: Waymark | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    waymark = await startWaymark(env)
    browser = await launchBrowser()
    await prepare({ waymark, browser })
  })
  afterAll(async () => {
    await browser?.close()
    await waymark?.stop()
  })
}

/** The same with one visitor, whose page is open. */
export function openDashboard(
  prepare: (dashboard: Dashboard) => void | Promise<void>,
  { env, ...options }: DashboardOptions = {},
): void {
  openBrowser(async (opened) => {
    const visitor = await newVisitor(opened.browser, { url: opened.waymark.url, ...options })
    await prepare({ ...opened, visitor, page: visitor.page })
  }, env)
}
