/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, soon, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { EVERY_ARCHIVED, EVERY_EXPIRED, insertCopies, insertManyLinks, uuidOfNumber } from './many-links.ts'

const COUNT = 10_000
const PAGE = 50
const EXPIRED = COUNT / EVERY_EXPIRED
const ARCHIVED = Math.floor(COUNT / EVERY_ARCHIVED)
const ACTIVE = COUNT - EXPIRED - ARCHIVED

describe('10,000 links', () => {
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
    expect(await summary()).toBe(`${ACTIVE.toLocaleString('en')} links, page 1 of 200`)
    await page.getByLabel('Sort').selectOption('Most clicked')
    await soon(firstNumber).toBe(1)
    await page.getByLabel('Sort').selectOption('Recently clicked')
    await soon(firstNumber).toBe(COUNT - 1)
    await page.getByLabel('Sort').selectOption('Oldest')
    await soon(numbers).toEqual(Array.from({ length: PAGE }, (_, at) => at + 1))
    await page.getByLabel('Rows').selectOption('25')
    await soon(numbers).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
    expect(await summary()).toBe(`${ACTIVE.toLocaleString('en')} links, page 1 of 400`)
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
    for (const first of [51, 101]) {
      await page.getByRole('button', { name: 'Next' }).click()
      await soon(firstNumber).toBe(first)
    }
    expect(await summary()).toContain('page 3 of')
    await page.locator('tbody tr').first().getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: /n101/ }).waitFor()
    await page.goBack()
    await soon(firstNumber).toBe(101)
    await page.reload()
    await soon(firstNumber).toBe(101)
    expect(await summary()).toContain('page 3 of')
    await page.getByRole('button', { name: 'Previous' }).click()
    await soon(firstNumber).toBe(51)
    await page.goBack()
    await soon(firstNumber).toBe(101)
    // An address from elsewhere knows no earlier pages, but the first one.
    const address = page.url()
    const { page: other } = await newVisitorIn(address)
    await other.getByRole('button', { name: 'First page' }).click()
    await other.locator('tbody tr').filter({ hasText: '/n1' }).first().waitFor()
    await other.close()
    await page.getByLabel('Search links').fill('example.com/999')
    await soon(firstNumber).toBe(999)
    expect(await summary()).toBe('11 links')
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
    await soon(firstNumber).toBe(1_999)
    await removePage()
    await soon(firstNumber).toBe(1_949)
    expect(await page.getByText('Create your first link').count()).toBe(0)

    // 111 links: two pages and eleven more.
    await page.goto('/app/links?sort=oldest&search=com/77')
    for (const first of [77, 7_739, 7_789]) {
      await soon(firstNumber).toBe(first)
      if (first < 7_789) await page.getByRole('button', { name: 'Next' }).click()
    }
    expect(await summary()).toBe('111 links, page 3 of 3')
    await removePage()
    await soon(firstNumber).toBe(7_739)
    await soon(summary).toBe('100 links, page 2 of 2')
  })

  test('no request asks for more than a page, and no script fails', () => {
    expect(visitor.faults).toEqual([])
    for (const limit of limits) expect(Number(limit)).toBeLessThanOrEqual(PAGE)
  })
})

const BULK_COUNT = 1_160

describe('many links at once', () => {
  let waymark: Waymark
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ waymark, visitor, page } = opened)
    insertManyLinks(waymark, await createAccount(page), BULK_COUNT, 'b')
    await page.goto('/app/links')
  })

  const total = (query: string): Promise<number> =>
    page.evaluate(async (search) => {
      const answer = await fetch(`/v1/links?limit=1&${search}`)
      return ((await answer.json()) as { meta: { total: number } }).meta.total
    }, query)
  const statusOf = async (code: string): Promise<number> =>
    (await fetch(`${waymark.url}/${code}`, { redirect: 'manual' })).status
  const bar = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = (name: string) => page.getByRole('dialog').getByRole('button', { name })
  const pickPage = async (): Promise<void> => {
    await page.getByLabel('Select all links on this page').click()
    await page.getByText('50 links selected').waitFor()
  }
  const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()

  test('the selected links are tagged, and untagged', async () => {
    await page.getByLabel(/Select .*\/b1160$/).click()
    await page.getByLabel(/Select .*\/b1159$/).click()
    await bar('Tags').click()
    await page.getByLabel('Tags', { exact: true }).fill('spring, print')
    await dialog('Add tags').click()
    await toastOf(page, '2 links tagged')
    expect(await total('tag=print')).toBe(2)
    await page.locator('tbody tr').first().getByRole('link', { name: 'spring' }).waitFor()
    await page.getByLabel(/Select .*\/b1160$/).click()
    await bar('Tags').click()
    await page.getByRole('dialog').getByRole('button', { name: 'print', exact: true }).click()
    await dialog('Remove tags').click()
    await toastOf(page, '1 link untagged')
    expect(await total('tag=print')).toBe(1)
  })

  test('all results of a filter are archived, not only the page, and undo brings them back', async () => {
    await page.goto('/app/links?search=Link 11')
    await soon(() => page.locator('tbody tr').count()).toBe(50)
    const found = await total('search=Link 11')
    expect(found).toBeGreaterThan(60)
    await pickPage()
    await page.getByRole('button', { name: `Select all ${found} links` }).click()
    await page.getByText(`${found} links selected`).waitFor()
    await bar('Archive').click()
    await toastOf(page, `${found} links archived`)
    expect(await total('state=archived')).toBe(found)
    await page.getByRole('heading', { name: 'No matching links' }).waitFor()
    expect(await statusOf('b1100')).toBe(302)
    await undo()
    await soon(() => total('state=archived')).toBe(0)
    await soon(() => page.locator('tbody tr').count()).toBe(50)
  })

  test('a change goes on when the tab is closed', async () => {
    const tab = await visitor.context.newPage()
    await tab.goto('/app/links')
    await tab.getByLabel('Select all links on this page').click()
    await tab.getByRole('button', { name: /^Select all 1,160/ }).click()
    await tab.getByRole('button', { name: 'Tags', exact: true }).click()
    await tab.getByLabel('Tags', { exact: true }).fill('everyone')
    const sent = tab.waitForResponse(/bulk-edit-links/)
    await tab.getByRole('dialog').getByRole('button', { name: 'Add tags' }).click()
    expect((await sent).status()).toBe(200)
    await tab.close()
    await soon(() => total('tag=everyone')).toBe(BULK_COUNT)
  })

  test('expired and removed links end at once; undo restores them', async () => {
    await page.goto('/app/links?search=Link 1158')
    await page.getByLabel(/Select .*\/b1158$/).click()
    await bar('Expire').click()
    await dialog('Expire now').click()
    await toastOf(page, '1 link expired')
    await soon(() => statusOf('b1158')).toBe(410)
    await undo()
    await soon(() => statusOf('b1158')).toBe(302)

    await page.goto('/app/links')
    await soon(() => page.locator('tbody tr').count()).toBe(50)
    await pickPage()
    await page.getByRole('button', { name: /^Select all 1,160/ }).click()
    await bar('Remove').click()
    await page.getByRole('dialog').getByText('not only this page').waitFor()
    await dialog('Move to trash').click()
    await toastOf(page, '1,160 links removed')
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()
    expect(await statusOf('b1')).toBe(410)
    await undo()
    await soon(() => total('')).toBe(BULK_COUNT)
    expect(await statusOf('b1')).toBe(302)
  })

  test('the selection is exported', async () => {
    await page.goto('/app/links')
    await page.getByLabel(/Select .*\/b1160$/).click()
    const [download] = await Promise.all([page.waitForEvent('download'), bar('Export').click()])
    expect(new URL(download.url()).searchParams.get('uuid')).toMatch(/1160$/)
    expect(visitor.faults).toEqual([])
  })
})

/** More than the 500 UTM links, 1,000 codes and 200 pages that one request can return. */
const LINKS = 560
const CODES = 1_100
const PAGES = 250
const UTM_PAGE = 60

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
    expect(await rows().count()).toBe(UTM_PAGE)
    await page.getByRole('button', { name: 'Next' }).click()
    await rows().first().getByText('source-499 /').waitFor()
    // The eighth page begins after 420 links.
    const cursor = Buffer.from(uuidOfNumber(LINKS - 7 * UTM_PAGE + 1)).toString('base64url')
    await page.goto(`/app/utm?page=8&cursor=${cursor}`)
    await rows().first().getByText('source-139 /').waitFor()
    for (const first of [79, 19]) {
      await page.getByRole('button', { name: 'Next' }).click()
      await rows().first().getByText(`source-${first} /`).waitFor()
    }
    expect(await rows().count()).toBe(LINKS % UTM_PAGE)
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
    const cursor = Buffer.from(uuidOfNumber(CODES - 17 * UTM_PAGE + 1)).toString('base64url')
    await page.goto(`/app/codes?page=18&cursor=${cursor}`)
    await cards().getByText('Table 80', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await cards().getByText('Table 1', { exact: true }).waitFor()
    expect(await cards().count()).toBe(CODES % UTM_PAGE)
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
    const cursor = Buffer.from(uuidOfNumber(PAGES - 3 * UTM_PAGE + 1)).toString('base64url')
    await page.goto(`/app/pages?page=4&cursor=${cursor}`)
    await cards().getByText('Page 70', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await cards().getByText('Page 1', { exact: true }).waitFor()
    expect(await summary()).toBe('250 pages, page 5 of 5')
    // The link of an old page names it as well.
    const { data } = await (await page.request.get(`/v1/pages?uuid=${uuid}`)).json()
    insertCopies(waymark, { table: 'links', uuid: data[0].short_link.uuid }, 1, {
      short_code: "'oldest'",
      owner_uuid: `'${uuidOfNumber(1)}'`,
    })
    await page.goto('/app/links')
    await page.getByRole('link', { name: 'Page: Page 1', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Page: Newest', exact: true }).waitFor()
  })
})
