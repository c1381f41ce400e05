/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { clipboard, createAccount, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'

/** The tests run in order; each depends on the one before. */
describe('campaigns', () => {
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ visitor, page } = opened)
    await createAccount(page)
    await page.goto('/app/utm')
  })

  test('makes a link of every row of a pasted spreadsheet, and copies all of them', async () => {
    await page.getByRole('button', { name: 'Paste a spreadsheet' }).click()
    const dialog = page.getByRole('dialog', { name: 'Paste a spreadsheet' })
    await dialog
      .getByLabel('Rows', { exact: true })
      .fill(
        'Campaign\tURL\tSource\tMedium\tContent\n' +
          'Spring Sale\texample.com/a\tEmail\tNewsletter\theader\n' +
          'summer\texample.com/b\tgoogle\tcpc\tbutton\n' +
          'winter\texample.com/c\tgoogle\t\tbutton\n',
      )
    await dialog.getByText('Missing: medium').waitFor()
    await dialog.getByRole('button', { name: 'Create 2 links' }).click()
    await dialog.getByText('2 links created').waitFor()
    await dialog.getByRole('button', { name: 'Copy all links, one per line' }).click()
    const copied = (await clipboard(page)).split('\n')
    expect(copied).toHaveLength(2)
    for (const [url, path] of [
      [copied[0], '/a?utm_source=Email&utm_medium=Newsletter'],
      [copied[1], '/b?utm_source=google&utm_medium=cpc'],
    ] as const) {
      const { headers } = await fetch(url ?? '', { redirect: 'manual' })
      expect(headers.get('location')).toContain(`https://example.com${path}`)
    }
    await page.keyboard.press('Escape')
  })

  test('has one badge per row, whose fix applies the advice', async () => {
    const badge = page.getByRole('button', { name: /^\d hints?$/ })
    expect(await badge.count()).toBe(1)
    await page.getByRole('button', { name: 'Fix Spring Sale, Email' }).click()
    await toastOf(page, 'UTM link fixed')
    await page.getByText('newsletter / email / header').waitFor()
    await badge.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Copy all' }).click()
    await toastOf(page, '2 links copied')
    expect((await clipboard(page)).split('\n')).toHaveLength(2)
  })

  test('keeps templates in the browser', async () => {
    await page.getByRole('combobox', { name: 'Campaign' }).fill('autumn')
    await page.getByRole('combobox', { name: 'Source' }).fill('instagram')
    await page.getByRole('button', { name: 'Templates' }).click()
    await page.getByText('Templates are kept in this browser').waitFor()
    await page.getByLabel('Save the form as').fill('Social')
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('list', { name: 'Saved templates' }).getByText('instagram').waitFor()
    await page.reload()
    await page.getByLabel('Use a template').selectOption('Social')
    expect(await page.getByRole('combobox', { name: 'Source' }).inputValue()).toBe('instagram')
    expect(await page.getByRole('combobox', { name: 'Campaign' }).inputValue()).toBe('autumn')
    expect(visitor.faults).toEqual([])
  })
})
