/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { newVisitor, signUp, soon } from './browser.ts'

const LINKS = 130
const PAGE = 60

describe('lists longer than one request', () => {
  let waymark: Waymark
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    waymark = await startWaymark()
    browser = await launchBrowser()
    page = (await newVisitor(browser, waymark)).page
    await signUp(page)
    await page.evaluate(async (count) => {
      for (let at = 0; at < count; at++) {
        const response = await fetch('/v1/generate-utm', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            url: 'https://example.com/landing',
            source: `source-${at}`,
            medium: 'email',
            campaign: 'spring',
            content: 'header',
          }),
        })
        if (!response.ok) throw new Error(await response.text())
      }
    }, LINKS)
  })
  afterAll(async () => {
    await browser.close()
    await waymark.stop()
  })

  const rows = () => page.locator('main section > ul > li')
  const summary = (): Promise<string | null> =>
    page.getByRole('navigation', { name: 'Pages of the list' }).locator('p').textContent()

  test('go on to their end by the cursor, in pages of equal size, and keep their place', async () => {
    const limits: (string | null)[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/v1/utm' && url.searchParams.has('cursor'))
        limits.push(url.searchParams.get('limit'))
    })
    await page.goto('/app/utm')
    await rows().filter({ hasText: 'source-129 /' }).waitFor()
    expect(await rows().count()).toBe(PAGE)
    for (const first of ['source-69 /', 'source-9 /']) {
      await page.getByRole('button', { name: 'Next' }).click()
      await rows().first().getByText(first).waitFor()
    }
    expect(await rows().count()).toBe(LINKS % PAGE)
    expect(await summary()).toBe('130 UTM links, page 3 of 3')
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    expect(new Set(limits)).toEqual(new Set(['60']))
    await page.reload()
    await rows().first().getByText('source-9 /').waitFor()
    await page.goBack()
    await rows().first().getByText('source-69 /').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await rows().first().getByText('source-129 /').waitFor()
  })

  test('have their search in the address, and begin anew with another one', async () => {
    await page.goto('/app/utm')
    await page.getByRole('button', { name: 'Next' }).click()
    await rows().first().getByText('source-69 /').waitFor()
    await page.getByLabel('Search UTM links').fill('source-12')
    await rows().first().getByText('source-129 /').waitFor()
    await soon(summary).toBe('11 UTM links')
    await page.reload()
    await soon(summary).toBe('11 UTM links')
    await page.goto('/app/pages?search=nothing')
    await page.getByRole('heading', { name: 'No matching pages' }).waitFor()
  })
})

describe('a logo that is no image', () => {
  test('is rejected by its content, not by its name', async () => {
    const waymark = await startWaymark()
    const browser = await launchBrowser()
    const { page } = await newVisitor(browser, waymark)
    await signUp(page)
    await page.goto('/app/codes/qr/new')
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/')
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('just some text') })
    await page.locator('.toast').filter({ hasText: 'logo.png is not a PNG or JPEG image' }).waitFor()
    expect(await page.getByRole('button', { name: 'Remove logo' }).count()).toBe(0)
    expect(
      await page
        .locator('main img')
        .evaluateAll((all) => all.every((img) => (img as HTMLImageElement).naturalWidth > 0)),
    ).toBe(true)
    await browser.close()
    await waymark.stop()
  })
})
