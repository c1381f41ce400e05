/// <reference lib="dom" />
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../scripts/services/chromium.ts'
import { newVisitor, type Visitor } from './dashboard/browser.ts'
import { get } from './support/requests.ts'
import { png } from './support/pictures.ts'
import { startWaymark, type Account, type Waymark } from './support/waymark.ts'

/* What /docs does in a browser: searching, trying operations, and everything else without a script. */

let waymark: Waymark
let account: Account
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  waymark = await startWaymark()
  ;[account, browser] = await Promise.all([waymark.account(), launchBrowser()])
  visitor = await newVisitor(browser, { url: waymark.url })
  page = visitor.page
})
afterAll(async () => {
  await browser?.close()
  await waymark?.stop()
})

const titleOf = (): Promise<string> => page.locator('h1').innerText()

const fillCredentials = async (secret = account.secret): Promise<void> => {
  await page.getByLabel('API key').fill(account.apiKey)
  await page.getByLabel('Secret').fill(secret)
}

const sent = async (status: number): Promise<void> => {
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByText(`Status ${status}`).waitFor()
}

test('finds guides and operations with the keyboard alone', async () => {
  await page.goto('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('idempot')
  await page.getByRole('option', { name: 'Idempotency' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/idempotency')
  expect(await titleOf()).toBe('Idempotency')
  await page.keyboard.press('/')
  await page.keyboard.type('max_clicks short link')
  await page.getByRole('option', { name: 'Create a short link' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/reference/**')
  await page.getByRole('combobox').fill('zzzz')
  await page.getByText('Nothing found').waitFor()
})

test('signs a JSON request in the browser, and shows what was sent and answered', async () => {
  await page.goto('/docs/reference/generate-utm')
  await fillCredentials('wms_wrong')
  await sent(401)
  expect(await page.locator('.outcome').innerText()).toContain('canonical')
  await fillCredentials()
  await sent(201)
  const shown = await page.locator('.outcome').innerText()
  expect(shown).toMatch(/x-signature: [0-9a-f]{64}/)
  expect(shown).toContain('utm_source=newsletter')
  expect((await get(waymark, account, '/v1/utm')).body.meta.total).toBe(1)
})

test('sends a file, and shows the code that was drawn', async () => {
  await page.goto('/docs/reference/generate-qr')
  expect(await page.getByLabel('Secret').inputValue(), 'kept for the tab').toBe(account.secret)
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: png(200, 90, 70, 64) }
  await page.getByLabel('logo').setInputFiles(file)
  await sent(201)
  const picture = page.getByAltText('The code')
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  expect((await get(waymark, account, '/v1/qrcode')).body.data[0].logo).toMatch(/\/m\//)
})

test('reads a list with a key alone, and keeps credentials nowhere but in the tab', async () => {
  await page.goto('/docs/reference/utm')
  await sent(200)
  expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
  const other = await visitor.context.newPage()
  await other.goto('/docs/reference/utm')
  expect(await other.getByLabel('API key').inputValue()).toBe('')
  await other.close()
})

test('breaks no policy and asks no other host', () => {
  expect(visitor.faults).toEqual([])
  expect([...visitor.hosts]).toEqual([new URL(waymark.url).host])
})

test('works without a script', async () => {
  const context = await browser.newContext({ baseURL: waymark.url, javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto('/docs/reference/generate-link')
  expect(await plain.getByRole('button', { name: 'Send request' }).isVisible()).toBe(false)
  expect(await plain.locator('#search').isVisible()).toBe(false)
  await plain.getByText('Python', { exact: true }).click()
  await plain.getByText('client.generate_link(').waitFor()
  await plain.getByRole('navigation', { name: 'Docs' }).getByText('Signing requests').click()
  await plain.getByRole('heading', { name: 'The rule' }).waitFor()
  await context.close()
})

const PATHS = ['/docs', '/docs/signing', '/docs/reference/generate-link']

/** The dark theme changes colours only, so there colours are all that is looked at. */
const THEMES = [
  { colorScheme: 'light', width: 1280, rules: [] },
  { colorScheme: 'dark', width: 390, rules: ['color-contrast'] },
] as const

test.each(THEMES)(
  'is accessible in $colorScheme colours, $width pixels wide',
  async ({ colorScheme, width, rules }) => {
    const viewport = { width, height: 844 }
    const context = await browser.newContext({ baseURL: waymark.url, colorScheme, viewport })
    await context.addInitScript(axe.source)
    const looked = await context.newPage()
    for (const path of PATHS) {
      await looked.goto(path)
      const found = await looked.evaluate(async (only) => {
        const options = only.length === 0 ? {} : { runOnly: [...only] }
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
      }, rules)
      expect(found, path).toEqual([])
      const overflow = await looked.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, path).toBeLessThanOrEqual(0)
    }
    await context.close()
  },
)
