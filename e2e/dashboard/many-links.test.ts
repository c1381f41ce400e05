/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, soon, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { EVERY_ARCHIVED, EVERY_EXPIRED, insertManyLinks } from './many-links.ts'

const COUNT = 100_000
const PAGE = 50
const EXPIRED = COUNT / EVERY_EXPIRED
const ARCHIVED = Math.floor(COUNT / EVERY_ARCHIVED)
const ACTIVE = COUNT - EXPIRED - ARCHIVED

describe('100,000 links', () => {
  let waymark: Waymark
  let visitor: Visitor
  let page: Page
  /** How many rows each request for links asked for. */
  const limits = new Set<string | null>()

  openDashboard(async (opened) => {
    ;({ waymark, visitor, page } = opened)
    insertManyLinks(waymark, await createAccount(page), COUNT)
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/v1/links') limits.add(url.searchParams.get('limit'))
    })
  })

  const numbers = async (): Promise<number[]> => {
    const texts = await page.locator('tbody .plate').allTextContents()
    return texts.map((text) => Number(text.split('/n').at(-1)))
  }
  const firstNumber = async (): Promise<number | undefined> => (await numbers())[0]
  const summary = (): Promise<string | null> =>
    page.getByRole('navigation', { name: 'Pages of the list' }).locator('p').textContent()

  test('are sorted by the server, whatever their age', async () => {
    await page.goto('/app/links')
    await soon(firstNumber).toBe(COUNT - 1)
    expect(await summary()).toBe(`${ACTIVE.toLocaleString('en')} links, page 1 of 2,000`)
    await page.getByLabel('Sort').selectOption('Most clicked')
    await soon(firstNumber).toBe(1)
    await page.getByLabel('Sort').selectOption('Recently clicked')
    await soon(firstNumber).toBe(COUNT - 1)
    await page.getByLabel('Sort').selectOption('Oldest')
    await soon(numbers).toEqual(Array.from({ length: PAGE }, (_, at) => at + 1))
  })

  test('are filtered by state, archived ones hidden unless asked for', async () => {
    await page.goto('/app/links')
    await page.getByText('Expired', { exact: true }).click()
    await soon(numbers).toEqual([4, 3, 2, 1].map((n) => n * EVERY_EXPIRED))
    expect(await page.locator('tbody tr').getByText('Expired', { exact: true }).count()).toBe(EXPIRED)
    await page.getByText('Archived', { exact: true }).first().click()
    await soon(numbers).toEqual([2, 1].map((n) => n * EVERY_ARCHIVED))
    await page.reload()
    await soon(numbers).toEqual([2, 1].map((n) => n * EVERY_ARCHIVED))
    await page.goto('/app/links?state=all')
    await soon(firstNumber).toBe(COUNT)
  })

  test('keep their page when one is opened, on Back, and on a reload', async () => {
    await page.goto('/app/links?sort=oldest&state=all')
    await soon(firstNumber).toBe(1)
    for (const first of [51, 101, 151]) {
      await page.getByRole('button', { name: 'Next' }).click()
      await soon(firstNumber).toBe(first)
    }
    expect(await summary()).toContain('page 4 of')
    await page.locator('tbody tr').first().getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: /n151/ }).waitFor()
    await page.goBack()
    await soon(firstNumber).toBe(151)
    await page.reload()
    await soon(firstNumber).toBe(151)
    expect(await summary()).toContain('page 4 of')
    await page.getByRole('button', { name: 'Previous' }).click()
    await soon(firstNumber).toBe(101)
    await page.goBack()
    await soon(firstNumber).toBe(151)
    // An address from elsewhere knows no earlier pages, but the first one.
    const address = page.url()
    const { page: other } = await newVisitorIn(address)
    await other.getByRole('button', { name: 'First page' }).click()
    await other.locator('tbody tr').filter({ hasText: '/n1' }).first().waitFor()
    await other.close()
    await page.getByLabel('Search links').fill('example.com/999')
    await soon(firstNumber).toBe(999)
    expect(await summary()).toMatch(/page 1 of/)
  })

  /** A second tab of the same person. */
  const newVisitorIn = async (address: string): Promise<{ page: Page }> => {
    const other = await visitor.context.newPage()
    await other.goto(address)
    await soon(() => other.locator('tbody tr').count()).toBe(PAGE)
    return { page: other }
  }

  test('a cursor of another list leads to the first page', async () => {
    await page.goto('/app/links?sort=clicks&page=9&cursor=MDE5MDAwMDAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDUw')
    await soon(firstNumber).toBe(1)
    await soon(() => page.url()).not.toContain('cursor')
  })

  test('one is opened by its short code without a look at the others', async () => {
    limits.clear()
    await page.goto('/app/links/n1')
    await page.getByRole('heading', { level: 1, name: /\/n1$/ }).waitFor()
    await page.getByRole('link', { name: 'example.com/1', exact: true }).waitFor()
    expect(limits).toEqual(new Set(['1']))
  })

  const removePage = async (): Promise<void> => {
    await page.getByLabel('Select all links on this page').click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
    await toastOf(page, /links removed/)
  }

  test('removing a whole page shows the next one, and after the last one the one before', async () => {
    await page.goto('/app/links?search=Link 1')
    await soon(firstNumber).toBe(19_999)
    await removePage()
    await soon(firstNumber).toBe(19_949)
    expect(await page.getByText('Create your first link').count()).toBe(0)

    // 111 links: two pages and eleven more.
    await page.goto('/app/links?sort=oldest&search=com/777')
    for (const first of [777, 77_739, 77_789]) {
      await soon(firstNumber).toBe(first)
      if (first < 77_789) await page.getByRole('button', { name: 'Next' }).click()
    }
    expect(await summary()).toBe('111 links, page 3 of 3')
    await removePage()
    await soon(firstNumber).toBe(77_739)
    await soon(summary).toBe('100 links, page 2 of 2')
  })

  test('no request asks for more than a page, and no script fails', () => {
    expect(visitor.faults).toEqual([])
    for (const limit of limits) expect(Number(limit)).toBeLessThanOrEqual(PAGE)
  })
})
