/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, soon } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { insertCopies, uuidOfNumber } from './many-links.ts'

/** More than the 500 UTM links, 1,000 codes and 200 pages that one request can return. */
const LINKS = 560
const CODES = 1_100
const PAGES = 250
const PAGE = 60

describe('lists longer than one request', () => {
  let waymark: Waymark
  let page: Page

  /** Creates one of something. */
  const create = (path: string, body: object): Promise<string> =>
    page.evaluate(
      async ([path, body]) => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(path, { method: 'POST', headers, body })
        if (!response.ok) throw new Error(await response.text())
        return ((await response.json()) as { data: { uuid: string } }).data.uuid
      },
      [path, JSON.stringify(body)] as const,
    )

  openDashboard(async (opened) => {
    ;({ waymark, page } = opened)
    await createAccount(page)
    await page.goto('/app/utm')
    const utm = await create('/v1/generate-utm', {
      url: 'https://example.com/landing',
      source: `source-${LINKS - 1}`,
      medium: 'email',
      campaign: 'spring',
      content: 'header',
    })
    insertCopies(waymark, { table: 'utm_links', resource: 'utm', uuid: utm }, LINKS - 1, {
      source: "'source-' || (n - 1)",
    })
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
    await rows().filter({ hasText: 'source-559 /' }).waitFor()
    expect(await rows().count()).toBe(PAGE)
    for (let first = LINKS - 1 - PAGE; first >= 0; first -= PAGE) {
      await page.getByRole('button', { name: 'Next' }).click()
      await rows().first().getByText(`source-${first} /`).waitFor()
    }
    expect(await rows().count()).toBe(LINKS % PAGE)
    expect(await summary()).toBe('560 UTM links, page 10 of 10')
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    expect(new Set(limits)).toEqual(new Set(['60']))
    await page.reload()
    await rows().first().getByText('source-19 /').waitFor()
    await page.goBack()
    await rows().first().getByText('source-79 /').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await rows().first().getByText('source-139 /').waitFor()
  })

  test('have their search in the address, and begin anew with another one', async () => {
    await page.goto('/app/utm')
    await page.getByRole('button', { name: 'Next' }).click()
    await rows().first().getByText('source-499 /').waitFor()
    await page.getByLabel('Search UTM links').fill('source-12')
    await rows().first().getByText('source-129 /').waitFor()
    await soon(summary).toBe('11 UTM links')
    await page.reload()
    await soon(summary).toBe('11 UTM links')
    await page.goto('/app/pages?search=nothing')
    await page.getByRole('heading', { name: 'No matching pages' }).waitFor()
  })

  const cards = () => page.locator('main ul > li')

  test('show the last of 1,100 codes, and open it without a walk through the others', async () => {
    // Drawing them all is not what this is about.
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    await page.route('**/i/*.svg*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }))
    const code = { url: 'https://example.com/menu', pattern: 'dots', dynamic: false }
    const uuid = await create('/v1/generate-qr', code)
    insertCopies(waymark, { table: 'qrcodes', uuid }, CODES - 1, { description: "'Table ' || n" })
    // The eighteenth page begins after 1,020 codes.
    const cursor = Buffer.from(uuidOfNumber(CODES - 17 * PAGE + 1)).toString('base64url')
    await page.goto(`/app/codes?page=18&cursor=${cursor}`)
    await cards().getByText('Table 80', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await cards().getByText('Table 1', { exact: true }).waitFor()
    expect(await cards().count()).toBe(CODES % PAGE)
    expect(await summary()).toBe('1,100 QR codes, page 19 of 19')

    const requested: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname === '/v1/qrcode') requested.push(search)
    })
    await page.goto(`/app/codes/qr/${uuidOfNumber(1)}`)
    await page.getByRole('heading', { level: 1, name: 'Table 1' }).waitFor()
    expect(requested).toEqual([`?uuid=${uuidOfNumber(1)}`])
  })

  test('show the last of 250 pages', async () => {
    const uuid = await create('/v1/generate-page', {
      title: 'Newest',
      slug: 'newest',
      domain: 'localhost',
      logoStatus: 0,
      logoPosition: 'top-left',
      theme: { bggradient: ['#ffffff', '#ffffff'] },
      buttons: [{ id: 1, status: 1, label: 'Go', url: 'https://example.com' }],
    })
    insertCopies(waymark, { table: 'pages', uuid }, PAGES - 1, { title: "'Page ' || n" })
    await page.goto('/app/pages')
    await cards().getByText('Newest', { exact: true }).waitFor()
    for (const first of [190, 130, 70, 10]) {
      await page.getByRole('button', { name: 'Next' }).click()
      await cards().getByText(`Page ${first}`, { exact: true }).waitFor()
    }
    await cards().getByText('Page 1', { exact: true }).waitFor()
    expect(await summary()).toBe('250 pages, page 5 of 5')
  })
})
