/// <reference lib="dom" />
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { newVisitor, signUp, type Visitor } from './browser.ts'

/** The tests run in order; each depends on the one before. */
describe('links as a file', () => {
  let waymark: Waymark
  let browser: Browser
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    waymark = await startWaymark()
    browser = await launchBrowser()
    visitor = await newVisitor(browser, waymark)
    page = visitor.page
    await signUp(page)
    await page.goto('/app/links')
  })
  afterAll(async () => {
    await browser.close()
    await waymark.stop()
  })

  const choose = (text: string): Promise<void> =>
    page
      .getByRole('dialog')
      .getByLabel('CSV file', { exact: true })
      .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const submit = (): Promise<void> => page.getByRole('button', { name: 'Import', exact: true }).click()

  test('are rejected with every invalid row, then imported and counted', async () => {
    await page.getByRole('button', { name: 'Import CSV' }).click()
    await choose('link,slug,tag\nhttps://example.com/1,no good,shop\nnonsense,,\n')
    await page.getByRole('dialog').getByText('links.csv').waitFor()
    await submit()
    const faults = page.getByRole('list', { name: 'Errors in the file' }).getByRole('listitem')
    await faults.first().waitFor()
    expect(await faults.allTextContents()).toEqual([
      'Line 2, slug: Must be 1 to 64 letters, digits, hyphens or underscores',
      'Line 3, link: Must be a valid http or https URL',
    ])
    await choose('link,slug,tag\nhttps://example.com/1,one,shop\nhttps://example.com/2,two,\n')
    await submit()
    await page.getByText('2 links imported').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row').filter({ hasText: '/one' }).waitFor()
  })

  test('are exported, all of them or the filtered ones', async () => {
    const save = async (name: string): Promise<string> => {
      await page.getByRole('button', { name: 'CSV', exact: true }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name }).click(),
      ])
      expect(download.suggestedFilename()).toBe('waymark-links.csv')
      return readFile(await download.path(), 'utf8')
    }
    expect((await save('Export CSV')).match(/https:\/\/example\.com\/\d/g)).toHaveLength(2)
    await page.getByRole('row').getByRole('link', { name: 'shop' }).click()
    await page.waitForURL(/tag=shop/)
    expect((await save('Export results as CSV')).match(/https:\/\/example\.com\/\d/g)).toEqual([
      'https://example.com/1',
    ])
    expect(visitor.faults).toEqual([])
  })
})
