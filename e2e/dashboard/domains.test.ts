import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { newVisitor, signUp, toastOf } from './browser.ts'

describe('domains', () => {
  let waymark: Waymark
  let browser: Browser

  beforeAll(async () => {
    waymark = await startWaymark()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await waymark.stop()
  })

  test('show every DNS record that is needed, and a check says which of them are missing', async () => {
    const { page, faults } = await newVisitor(browser, waymark)
    await signUp(page)
    await page.goto('/app/settings?tab=domains')
    await page.getByLabel('Domain', { exact: true }).fill('go.example.test')
    await page.getByRole('button', { name: 'Add domain' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'go.example.test' }).first()
    await row.getByText('proves that the domain is yours').waitFor()
    await row.getByText('brings visitors here').waitFor()
    await row.getByRole('button', { name: 'Check', exact: true }).click()
    const result = row.getByRole('status', { name: 'Result of the check' })
    await result.getByText('TXT record not found').waitFor()
    await result
      .getByText(/^(?:CNAME|A|AAAA) record/)
      .first()
      .waitFor()
    await result.getByText(/^HTTPS does not respond/).waitFor()
    expect(faults).toEqual([])
  })

  test('have settings for visitors without a link, with the errors of the server beside the fields', async () => {
    const { page, faults } = await newVisitor(browser, waymark)
    const email = await signUp(page)
    expect((await waymark.cli('domain', 'add', 'links.example.test', '--email', email)).code).toBe(0)
    await page.goto('/app/settings?tab=domains')
    const row = page.getByRole('listitem').filter({ hasText: 'links.example.test' })
    await row.getByRole('button', { name: 'Settings' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Unknown links').fill('not a URL')
    await dialog.getByLabel('Name on visitor pages').fill('Birch & Co')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => dialog.getByLabel('Unknown links').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Unknown links').fill('https://example.com/help')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await toastOf(page, /./)
    await row.getByRole('button', { name: 'Settings' }).click()
    expect(await dialog.getByLabel('Unknown links').inputValue()).toBe('https://example.com/help')
    expect(await dialog.getByLabel('Name on visitor pages').inputValue()).toBe('Birch & Co')
    expect(faults).toEqual([])
  })
})
