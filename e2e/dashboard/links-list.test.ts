/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, newVisitor, soon, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { furnish } from './furnish.ts'

describe('the list of links', () => {
  let waymark: Waymark
  let browser: Browser
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ waymark, browser, visitor, page } = opened)
    await createAccount(page)
    await page.goto('/app/')
    await furnish(page)
    await page.evaluate(async () => {
      for (const [code, tags] of [
        ['both', ['shop', 'spring']],
        ['other', ['spring']],
      ])
        await fetch('/v1/generate-link', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            link: `https://example.com/${String(code)}`,
            customLink: code,
            tags,
            title: `Title of ${String(code)}`,
          }),
        })
    })
  })

  const rows = () => page.locator('tbody tr')
  const codes = (): Promise<string[]> =>
    page
      .locator('tbody .plate')
      .allTextContents()
      .then((texts) => texts.map((text) => text.slice(text.indexOf('/'))))

  test('opens a link by a click anywhere on its row', async () => {
    await page.goto('/app/links')
    const row = rows().filter({ hasText: 'Title of both' })
    expect(await row.getByRole('link').first().textContent()).toBe('Title of both')
    const box = await row.boundingBox()
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.55, (box?.y ?? 0) + 8)
    await page.waitForURL(/\/app\/links\/both/)
  })

  test('names what a link is part of, and leads there', async () => {
    await page.goto('/app/links')
    await rows().getByRole('link', { name: 'Page: River Festival' }).click()
    await page.waitForURL(/\/app\/pages\//)
    await page.goto('/app/links')
    await rows().getByRole('link', { name: 'QR code: Menu, on the tables' }).click()
    await page.waitForURL(/\/app\/codes\/qr\//)
  })

  test('is narrowed to short links alone, and to links that have all of several tags', async () => {
    await page.goto('/app/links')
    await soon(() => rows().count()).toBe(12)
    await page.getByLabel('Kind').selectOption('Short links')
    await soon(() => rows().count()).toBe(8)
    await page.getByLabel('Tag', { exact: true }).selectOption('spring (2)')
    await soon(codes).toEqual(['/other', '/both'])
    await page.getByLabel('Tag', { exact: true }).selectOption('shop (2)')
    await soon(codes).toEqual(['/both'])
    await page.reload()
    await soon(codes).toEqual(['/both'])
    await page.getByRole('button', { name: 'Remove tag spring' }).click()
    await soon(codes).toEqual(['/both', '/spring'])
  })

  test('is sorted by its heads, and says so', async () => {
    await page.goto('/app/links?kind=short')
    const head = (name: string) => page.getByRole('columnheader', { name })
    await soon(() => rows().count()).toBe(8)
    await fetch(`${waymark.url}/spring`, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    await head('Clicks').getByRole('button').click()
    await soon(() => head('Clicks').getAttribute('aria-sort')).toBe('descending')
    await soon(async () => {
      await page.reload()
      await rows().first().waitFor()
      return (await codes())[0]
    }).toBe('/spring')
    await head('Clicks').getByRole('button').click()
    await soon(() => head('Clicks').getAttribute('aria-sort')).toBe('ascending')
    await soon(async () => (await codes()).at(-1)).toBe('/spring')
  })

  test('explains its icons', async () => {
    await page.goto('/app/links')
    const routed = rows().filter({ hasText: '/routed' })
    expect(await routed.getByRole('img', { name: 'Redirects by rules' }).getAttribute('title')).toBe(
      'Redirects by rules',
    )
  })

  test('duplicates a link with its rules, under another short code', async () => {
    await page.goto('/app/links')
    await rows()
      .filter({ hasText: '/routed' })
      .getByRole('button', { name: /^More for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    const panel = page.getByRole('dialog', { name: 'Duplicate link' })
    await panel.getByLabel('Short code').fill('routed-again')
    await panel.getByRole('button', { name: 'Create link' }).click()
    await toastOf(page, 'Short link created')
    const copy = await page.evaluate(async () => {
      const response = await fetch('/v1/links?code=routed-again')
      return ((await response.json()) as { data: { rules: unknown[]; variants: unknown[] }[] }).data[0]
    })
    expect(copy?.rules).toHaveLength(1)
    expect(copy?.variants).toHaveLength(2)
  })

  test('on a phone has one search and one button for filters, whole short codes and the QR code', async () => {
    const phone = await newVisitor(browser, { url: waymark.url, isPhone: true })
    await phone.context.addCookies(await visitor.context.cookies())
    await phone.page.goto('/app/')
    await phone.page.evaluate(() =>
      fetch('/v1/generate-link', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ link: 'https://example.com/long', customLink: 'x'.repeat(64) }),
      }).then((response) => response.status),
    )
    await phone.page.goto('/app/links')
    const plates = phone.page.locator('tbody .plate')
    await plates.first().waitFor()
    const cut = await plates.evaluateAll(
      (all) =>
        all.filter((plate) => {
          const code = plate.lastElementChild
          return code === null || code.scrollWidth > code.clientWidth + 1
        }).length,
    )
    expect(cut).toBe(0)
    expect(await phone.page.getByLabel('Sort').count()).toBe(1)
    expect(await phone.page.getByLabel('Sort').isVisible()).toBe(false)
    await phone.page.getByRole('button', { name: 'Filters' }).click()
    const filters = phone.page.getByRole('dialog', { name: 'Filters' })
    await filters.getByLabel('Kind').selectOption('Short links')
    await filters.getByRole('button', { name: 'Show links' }).click()
    await phone.page.getByRole('button', { name: 'Filters (1)' }).waitFor()
    await phone.page.locator('tbody').getByRole('button', { name: 'QR code' }).first().click()
    await phone.page.getByRole('dialog', { name: 'QR code' }).waitFor()
    expect(phone.faults).toEqual([])
    await phone.context.close()
  })
})
