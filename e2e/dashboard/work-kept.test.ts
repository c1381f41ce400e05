/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, newVisitor, PASSWORD, toastOf } from './browser.ts'
import { openBrowser } from './dashboard.ts'

describe('unsaved input', () => {
  let waymark: Waymark
  let browser: Browser
  let page: Page

  openBrowser((opened) => {
    ;({ waymark, browser } = opened)
  })
  beforeEach(async () => {
    page = (await newVisitor(browser, waymark)).page
    await createAccount(page)
    return () => page.context().close()
  })

  const endSession = (): Promise<void> => page.context().clearCookies()

  test('survives the end of the session: signing in again over the form finishes the save', async () => {
    await page.goto('/app/pages/new')
    await page.getByLabel('Title', { exact: true }).fill('Half a day of work')
    await page.getByLabel('Label of button 1').fill('Go')
    await page.getByLabel('URL of button 1').fill('https://example.com/go')
    await endSession()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
    await dialog.getByLabel('Password', { exact: true }).fill('Wrong-horse-1')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('dialog', { name: 'Page published' }).waitFor()
    const html = await (await fetch(`${waymark.url}/p/half-a-day-of-work`)).text()
    expect(html).toContain('https://example.com/go')
  })

  test('stays when the user does not sign in again, and can still be saved later', async () => {
    await page.goto('/app/pages/new')
    await page.getByLabel('Title', { exact: true }).fill('Not now')
    await page.getByLabel('Label of button 1').fill('Go')
    await endSession()
    const publish = page.getByRole('button', { name: 'Publish', exact: true })
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
    await publish.click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Not now')
    await publish.click()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Page published' }).waitFor()
  })

  const panel = () => page.getByRole('dialog', { name: 'New link' })
  const question = () => page.getByRole('alertdialog', { name: 'Close without saving?' })

  test('in the link panel is not discarded by Escape or a click outside', async () => {
    await page.goto('/app/links?create=true')
    const destination = panel().getByLabel('Destination', { exact: true })
    await destination.fill('https://example.com/long/path')
    await page.keyboard.press('Escape')
    await question().waitFor()
    await question().getByRole('button', { name: 'Keep editing' }).click()
    await page.mouse.click(20, 400)
    await question().waitFor()
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    expect(await destination.inputValue()).toBe('https://example.com/long/path')
  })

  test('in the link panel is kept as a draft when it is closed, also over a reload', async () => {
    await page.goto('/app/links?create=true')
    await panel().getByLabel('Destination', { exact: true }).fill('https://example.com/draft')
    await panel().getByLabel('Short code').fill('draft-1')
    await panel().locator('summary', { hasText: 'Password and click limit' }).click()
    await panel()
      .getByLabel(/^Password/)
      .fill('hunter2')
    await panel().getByRole('button', { name: 'Cancel' }).click()
    await question().getByRole('button', { name: 'Close' }).click()
    await panel().waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('button', { name: 'New link' }).first().click()
    await panel()
      .getByText(/Restored your unsaved draft/)
      .waitFor()
    expect(await panel().getByLabel('Destination', { exact: true }).inputValue()).toBe(
      'https://example.com/draft',
    )
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('hunter2')
    await panel().getByRole('button', { name: 'Create link' }).click()
    await toastOf(page, 'Short link created')
    await page.getByRole('button', { name: 'New link' }).first().click()
    expect(await panel().getByLabel('Destination', { exact: true }).inputValue()).toBe('')
  })

  test('in the link panel closes without a question when there is none', async () => {
    await page.goto('/app/links?create=true')
    await panel().waitFor()
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
  })
})
