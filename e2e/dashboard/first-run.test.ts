/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { newVisitor, signUp, soon, toastOf } from './browser.ts'
import { openBrowser } from './dashboard.ts'

describe('a new account', () => {
  let waymark: Waymark
  let browser: Browser
  let page: Page

  openBrowser((opened) => {
    ;({ waymark, browser } = opened)
  })
  beforeEach(async () => {
    page = (await newVisitor(browser, waymark)).page
    await signUp(page)
    return () => page.context().close()
  })

  const checklist = () => page.locator('section').filter({ hasText: 'Get started' })

  test('is shown three steps that are ticked off with their results, and can hide them', async () => {
    await checklist().getByText('0 of 3 done').waitFor()
    await page.getByLabel('URL to shorten').fill('https://example.com/first')
    await page.keyboard.press('Enter')
    await checklist().getByText('1 of 3 done').waitFor()
    await checklist().locator('.plate').waitFor()
    await checklist().getByRole('button', { name: 'Hide the checklist' }).click()
    await checklist().waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Recent links').waitFor()
    expect(await checklist().count()).toBe(0)
    // Another browser does not begin again.
    const other = await newVisitor(browser, waymark)
    await other.context.addCookies(await page.context().cookies())
    await other.page.goto('/app/')
    await other.page.getByText('/first').first().waitFor()
    expect(await other.page.getByText('Get started').count()).toBe(0)
    await other.context.close()
  })

  test('gets sample data on request, which ticks nothing off', async () => {
    await checklist().getByRole('button', { name: 'Add sample data' }).click()
    await toastOf(page, 'Sample data added')
    await page.getByText('Restaurant menu').waitFor()
    await checklist().getByText('0 of 3 done').waitFor()
    expect(await checklist().getByRole('button', { name: 'Add sample data' }).count()).toBe(0)
    await page.goto('/app/links?tag=sample')
    await soon(() => page.locator('tbody tr').count()).toBe(3)
    await page.goto('/app/pages')
    await page.getByRole('link', { name: 'Sample page' }).waitFor()
  })

  test('uses single-key shortcuts, and can switch them off', async () => {
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    for (const link of ['a', 'b'])
      await page.evaluate(
        (path) =>
          fetch('/v1/generate-link', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ link: `https://example.com/${path}` }),
          }).then((response) => response.status),
        link,
      )
    await page.goto('/app/links')
    const rows = page.locator('tbody tr')
    await soon(() => rows.count()).toBe(2)
    const focused = (): Promise<number> =>
      rows.evaluateAll((all) => all.findIndex((row) => row === document.activeElement))
    await page.keyboard.press('j')
    expect(await focused()).toBe(0)
    await page.keyboard.press('j')
    expect(await focused()).toBe(1)
    await page.keyboard.press('k')
    expect(await focused()).toBe(0)
    await page.keyboard.press('/')
    await page.keyboard.type('example.com/a')
    await soon(() => rows.count()).toBe(1)
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('c')
    const panel = page.getByRole('dialog', { name: 'New link' })
    await panel.waitFor()
    // Letters typed into a field are letters.
    await panel.getByLabel(/^Title/).pressSequentially('c?/jk')
    expect(await panel.getByLabel(/^Title/).inputValue()).toBe('c?/jk')
    await panel.getByLabel(/^Title/).fill('')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })

    await page.keyboard.press('?')
    await help.getByLabel('Single-key shortcuts').click()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
    expect(await panel.count()).toBe(0)
  })
})
