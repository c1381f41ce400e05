/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { newVisitor, signUp } from './browser.ts'

const PAGES = 210

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
    }, PAGES)
  })
  afterAll(async () => {
    await browser.close()
    await waymark.stop()
  })

  test('go on to their end by the cursor, in pages of equal size', async () => {
    const limits: (string | null)[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/v1/utm' && url.searchParams.has('cursor'))
        limits.push(url.searchParams.get('limit'))
    })
    await page.goto('/app/utm')
    const rows = page.locator('main li:not([role="option"])').filter({ hasText: 'source-' })
    await rows.first().waitFor()
    // Each step to the end brings the next page into view.
    for (let seen = 0; seen < PAGES;) {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await page.waitForFunction(
        (before) => document.querySelectorAll('main section > ul > li').length > before,
        seen,
      )
      seen = await rows.count()
    }
    expect(await rows.count()).toBe(PAGES)
    await rows.filter({ hasText: 'source-0 /' }).waitFor()
    expect(new Set(limits)).toEqual(new Set(['60']))
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
