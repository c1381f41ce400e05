/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, soon, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { furnish } from './furnish.ts'
import { findingsOf, LOOKS } from './screens.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** The tests run in order; each depends on the one before. */
describe('the dashboard by keyboard, in forced colours and while clicks arrive', () => {
  let waymark: Waymark
  let visitor: Visitor
  let page: Page
  let uuids = { qr: '', page: '' }

  openDashboard(async (opened) => {
    ;({ waymark, visitor, page } = opened)
    await createAccount(page)
    await page.goto('/app/')
    ;({ uuids } = await furnish(page))
  })

  /** The focused element, or that there is none. */
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: element } = document
      if (element === null || element === document.body) return 'BODY'
      return `${element.tagName} ${element.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 40)}`
    })
  const click = () =>
    fetch(`${waymark.url}/spring`, { redirect: 'manual', headers: { 'user-agent': FIREFOX } })
  const clean = async (): Promise<void> => {
    expect(await findingsOf(page, LOOKS)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }
  const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name })

  test('counts clicks in the list of links as they arrive', async () => {
    await page.goto('/app/links')
    const clicks = page.locator('tbody tr').filter({ hasText: 'Spring catalogue' }).locator('td').nth(3)
    await soon(() => clicks.innerText()).toMatch(/^0/)
    await soon(async () => {
      await click()
      return Number.parseInt(await clicks.innerText(), 10)
    }).toBeGreaterThan(0)
  })

  test('creates no formatter for a click on the screen of statistics', async () => {
    await page.addInitScript(() => {
      const { DateTimeFormat } = Intl
      const created = { count: 0 }
      Object.assign(globalThis, { created })
      Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
        construct: (target, parameters) => {
          created.count++
          return Reflect.construct(target, parameters) as object
        },
      })
    })
    await page.goto('/app/statistics')
    const live = page.getByRole('log', { name: 'Latest clicks' })
    await live.getByRole('listitem').first().waitFor()
    const count = (): Promise<number> =>
      page.evaluate(() => (globalThis as unknown as { created: { count: number } }).created.count)
    const total = page.locator('dd').first()
    const [before, clicks] = [await count(), Number.parseInt(await total.innerText(), 10)]
    for (let times = 0; times < 3; times++) await click()
    await soon(async () => Number.parseInt(await total.innerText(), 10)).toBe(clicks + 3)
    expect(await count()).toBe(before)
    await clean()
  })

  test('keeps the focus near what was removed, and confirms with Enter', async () => {
    await page.goto('/app/links')
    const row = page.locator('tbody tr').filter({ hasText: 'Spring catalogue' })
    await row.waitFor()
    const next = await page
      .locator('tbody tr')
      .filter({ hasText: 'Spring catalogue' })
      .evaluate((node) => (node.nextElementSibling ?? node.previousElementSibling)?.textContent?.slice(0, 12))
    await row.focus()
    await page.keyboard.press('Delete')
    await dialog('Remove this link?').waitFor()
    await clean()
    await page.keyboard.press('Enter')
    await toastOf(page, '1 link removed')
    await row.waitFor({ state: 'detached' })
    await soon(focused).toContain(`TR ${String(next).slice(0, 5)}`)

    await page.goto(`/app/codes/qr/${uuids.qr}`)
    await page.getByRole('button', { name: 'Remove', exact: true }).focus()
    await page.keyboard.press('Enter')
    await dialog('Remove this QR code?').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/app\/codes/)
    await toastOf(page, '1 QR code removed')
    await soon(focused).not.toBe('BODY')
  })

  test('keeps the focus on the screen after something was created', async () => {
    await page.goto('/app/codes/qr/new?url=https://example.com/focus')
    await page.getByRole('button', { name: 'Create QR code' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/codes\/qr\/[0-9a-f-]{36}/)
    await page.getByRole('button', { name: 'Save changes' }).waitFor()
    await soon(focused).not.toBe('BODY')
    await page.goto('/app/links')
    await page.getByRole('button', { name: 'New link' }).focus()
    await page.keyboard.press('Enter')
    await dialog('New link').waitFor()
    await page.keyboard.type('https://example.com/by-keyboard')
    await page.keyboard.press('Enter')
    await dialog('New link').waitFor({ state: 'detached' })
    await soon(focused).not.toBe('BODY')
  })

  test('shows the grade of a code, and warns about a print that is too narrow', async () => {
    await page.goto('/app/codes')
    await page
      .getByText(/^Grade [A-F]$/)
      .first()
      .waitFor()
    await page
      .getByText(/^from [\d.]+ mm$/)
      .first()
      .waitFor()
    await page.locator('main ul a').first().click()
    const grade = page.getByRole('region', { name: 'Grade' })
    await grade.getByText(/^Narrowest print: [\d.]+ mm$/).waitFor()
    await grade.getByRole('button', { name: 'Explain grade' }).click()
    await soon(() =>
      dialog(/^Grade [A-F]$/)
        .locator('img')
        .count(),
    ).toBe(12)
    await clean()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Print size' }).click()
    const width = dialog('Print size').getByLabel('Width in millimetres')
    await width.fill('9')
    await dialog('Print size')
      .getByText(/may not read this code if it is narrower than/)
      .waitFor()
    await width.fill('60')
    await soon(() =>
      dialog('Print size')
        .getByText(/narrower than/)
        .count(),
    ).toBe(0)
    await clean()
  })

  test('says which buttons lead nowhere before a page is published', async () => {
    await page.goto(`/app/pages/${uuids.page}`)
    await page.getByLabel('URL of button 1').fill('')
    const publish = page.getByRole('button', { name: 'Publish changes' })
    await publish.click()
    const question = dialog('Publish without destinations?')
    expect(await question.getByRole('listitem').allInnerTexts()).toEqual(['Tickets'])
    await clean()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await publish.click()
    await question.getByRole('button', { name: 'Publish anyway' }).click()
    await toastOf(page, 'Changes published')
  })

  test('shows what is chosen and focused in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto('/app/links?create=true')
    const field = dialog('New link').getByLabel('Destination', { exact: true })
    await field.focus()
    const outlineOf = (element: Locator): Promise<string> =>
      element.evaluate((node) => getComputedStyle(node).outlineStyle)
    expect(await outlineOf(field)).toBe('solid')
    await page.keyboard.press('Escape')
    const colours = (element: Locator): Promise<string> =>
      element.evaluate((node) => getComputedStyle(node).backgroundColor)
    const main = page.getByRole('navigation', { name: 'Main' })
    await main.waitFor()
    expect(await colours(main.getByRole('link', { name: 'Links' }))).not.toBe(
      await colours(main.getByRole('link', { name: 'Codes' })),
    )
    expect(
      await page
        .locator('tbody .checkbox')
        .first()
        .evaluate((node) => getComputedStyle(node).appearance),
    ).toBe('auto')
    await page.goto('/app/statistics')
    const mark = page.locator('dt .bg-chart')
    const ground = await colours(page.locator('body'))
    expect(await colours(mark)).not.toBe(ground)
    await page.emulateMedia({ forcedColors: null })
    expect(visitor.faults).toEqual([])
  })

  test('leaves the fields of both studios and of the builder wide enough at 1,100 pixels', async () => {
    await page.setViewportSize({ width: 1100, height: 900 })
    for (const path of [
      '/app/codes/qr/new?url=https://example.com',
      '/app/codes/barcode/new',
      '/app/pages/new',
    ]) {
      await page.goto(path)
      const box = await page.getByRole('main').locator('.input').first().boundingBox()
      expect([path, (box?.width ?? 0) > 400]).toEqual([path, true])
    }
  })
})
