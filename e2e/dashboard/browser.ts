/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

export const PASSWORD = 'Correct-horse-7'

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** A browser page with the script errors it raised and the hosts it contacted. */
export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of script and violations of the content security policy. */
  readonly faults: string[]
  /** Hosts that received a request. */
  readonly hosts: Set<string>
}

export interface VisitorOptions {
  readonly url: string
  readonly isPhone?: boolean
  /** Default: the machine's. */
  readonly timezoneId?: string
}

// The browser also reports failed requests; tests assert those themselves.
const isOwnFault = (text: string): boolean => !text.startsWith('Failed to load resource')

export async function newVisitor(browser: Browser, options: VisitorOptions): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: options.url,
    locale: 'en-GB',
    ...(options.timezoneId !== undefined && { timezoneId: options.timezoneId }),
    // A browser without a window calls itself headless, and would be counted as a bot.
    userAgent: USER_AGENT,
    reducedMotion: 'reduce',
    viewport: options.isPhone === true ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const faults: string[] = []
  const hosts = new Set<string>()
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && isOwnFault(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol.startsWith('http')) hosts.add(host)
  })
  return { page, context, faults, hosts }
}

let people = 0

const newEmail = (): string => `person${++people}.${Date.now()}@example.com`

/**
 * Creates an account and signs the browser in, without the form: it and Home take three times as much of the processor,
 * and most tests open another screen. Returns the email address.
 */
export async function createAccount(page: Page): Promise<string> {
  const email = newEmail()
  const data = { email, password: PASSWORD, first_name: 'Ada' }
  const response = await page.request.post('/v1/sign-up', { data })
  if (!response.ok()) throw new Error(`/v1/sign-up: ${response.status()} ${await response.text()}`)
  return email
}

/** Fills in the sign-up form, which opens Home; returns the email address that was used. */
export async function signUp(page: Page): Promise<string> {
  const email = newEmail()
  await page.goto('/app/sign-up')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()
  return email
}

/** The text in the clipboard. */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** Waits for a toast. */
export const toastOf = (page: Page, text: string | RegExp) =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor()

/** Polls an assertion that need not hold at once. */
export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read)
