import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { newVisitor, type Visitor, type VisitorOptions } from './browser.ts'

export interface Dashboard {
  readonly waymark: Waymark
  readonly browser: Browser
  readonly visitor: Visitor
  /** The page of the visitor. */
  readonly page: Page
}

export interface DashboardOptions extends Omit<VisitorOptions, 'url'> {
  /** Of the server. */
  readonly env?: Record<string, string>
}

/** For the tests of a `describe`: a server and a browser with one page, opened and prepared before them and closed after them. */
export function openDashboard(
  prepare: (dashboard: Dashboard) => void | Promise<void>,
  { env = {}, ...options }: DashboardOptions = {},
): void {
  let waymark: Waymark | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    waymark = await startWaymark(env)
    browser = await launchBrowser()
    const visitor = await newVisitor(browser, { url: waymark.url, ...options })
    await prepare({ waymark, browser, visitor, page: visitor.page })
  })
  afterAll(async () => {
    await browser?.close()
    await waymark?.stop()
  })
}
