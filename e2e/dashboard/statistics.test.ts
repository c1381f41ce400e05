/// <reference lib="dom" />
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { clipboard, createAccount, newVisitor, soon, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { furnish } from './furnish.ts'
import { LOOKS, findingsOf } from './screens.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const GOOGLEBOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)'
const GERMANY = '81.169.145.1'
const BRITAIN = '81.2.69.142'

describe('statistics', () => {
  let waymark: Waymark
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let uuids = { page: '' }

  const visit = async (path: string, agent: string, address: string): Promise<void> => {
    const headers = { 'user-agent': agent, 'x-forwarded-for': address }
    const { status } = await fetch(waymark.url + path, { redirect: 'manual', headers })
    expect(status).toBeLessThan(400)
  }
  /** Counts a click on a button or icon of the page, as its visitors' browsers report it. */
  const click = async (target: string): Promise<void> => {
    const headers = { 'user-agent': FIREFOX, 'x-forwarded-for': GERMANY }
    await fetch(`${waymark.url}/e/${uuids.page}/${target}`, { method: 'POST', headers })
  }
  const read = async (path: string) => (await page.request.get(path)).json()
  const card = (title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  const rows = (title: string): Promise<string[]> => card(title).getByRole('listitem').allInnerTexts()
  const row = (name: string) => page.getByRole('button', { name: new RegExp(`^(\\w\\w)?${name}`) })
  const chips = () => page.getByRole('list', { name: 'Filters' }).getByRole('listitem')
  const totals = (): Promise<string[]> => page.locator('dl dd > span:first-child').allInnerTexts()

  openDashboard(
    async (opened) => {
      ;({ waymark, browser, visitor, page } = opened)
      await createAccount(page)
      await page.goto('/app/')
      uuids = (await furnish(page)).uuids
      await visit('/spring', IPHONE, GERMANY)
      await visit('/spring', IPHONE, BRITAIN)
      await visit('/spring', FIREFOX, BRITAIN)
      await visit('/spring', GOOGLEBOT, BRITAIN)
    },
    { env: { TRUST_PROXY: 'on' }, timezoneId: 'Asia/Tokyo' },
  )

  test('follow the time zone of the viewer, and name it', async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/analytics')) asked.push(request.url())
    })
    await page.getByRole('link', { name: 'Statistics' }).first().click()
    await page.getByText('Time zone: Asia/Tokyo').waitFor()
    await soon(totals).toEqual(['3', '3', '1'])
    await row('United Kingdom').waitFor()
    await soon(() => rows('Most clicked links')).toHaveLength(1)
    // One request has everything on the screen. Clicks of the last seconds repeat it.
    expect(new Set(asked.map((url) => new URL(url).search)).size).toBe(1)
    expect(asked[0]).toMatch(/timezone=Asia%2FTokyo/)
  })

  test('rows are filters, several at once, and stand in the address', async () => {
    await row('United Kingdom').click()
    await soon(totals).toEqual(['2', '2', '1'])
    await row('Germany').click()
    await row('Mobile').click()
    await soon(totals).toEqual(['2', '2', '0'])
    await soon(() => chips().allInnerTexts()).toEqual([
      expect.stringMatching(/United Kingdom/),
      expect.stringMatching(/Germany/),
      expect.stringMatching(/Mobile/),
      'Clear filters',
    ])
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('country'), searchParams.get('device')]).toEqual(['["GB","DE"]', 'mobile'])

    await page.reload()
    await soon(totals).toEqual(['2', '2', '0'])
    await page.getByRole('button', { name: 'Remove filter Country: Germany' }).click()
    await soon(totals).toEqual(['1', '1', '0'])
    await page.goBack()
    await soon(totals).toEqual(['2', '2', '0'])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await soon(totals).toEqual(['3', '3', '1'])
    await soon(() => chips().count()).toBe(0)
  })

  test('compare with the period before, and label bots', async () => {
    await page.getByRole('switch', { name: 'Compare' }).check()
    await page.getByText('Compared with').waitFor()
    const chart = page.getByRole('table', { name: 'Clicks over time' })
    await chart.getByRole('columnheader', { name: 'Clicks in the period before' }).waitFor()
    await page.getByRole('button', { name: 'Show only bots' }).click()
    await soon(totals).toEqual(['0', '0', '1'])
    expect(new URL(page.url()).searchParams.get('bot')).toBe('true')
    await page.getByRole('button', { name: 'Show people' }).click()
    await soon(totals).toEqual(['3', '3', '1'])
  })

  test('move as clicks arrive', async () => {
    await page.goto('/app/statistics')
    // It begins with the latest clicks.
    await soon(async () => (await rows('Live')).length).toBe(4)
    await visit('/spring', FIREFOX, GERMANY)
    await soon(async () => (await rows('Live')).length).toBe(5)
    const latest = card('Live').getByRole('listitem').first()
    await latest.getByRole('link', { name: '/spring' }).waitFor()
    expect(await latest.innerText()).toMatch(/Direct, Desktop, Firefox, Linux/)
    await soon(totals).toEqual(['4', '4', '1'])
    await visit('/spring', GOOGLEBOT, GERMANY)
    await soon(() => card('Live').getByText('Bot', { exact: true }).count()).toBe(2)
  })

  test('of a tag have its links alone, and an empty period says so', async () => {
    await page.getByLabel('Tag').selectOption('shop')
    await page.getByText('Clicks on links tagged “shop”.').waitFor()
    await soon(totals).toEqual(['4', '4', '2'])
    await page.getByLabel('Domain').selectOption('localhost')
    await page.getByText('Clicks on links tagged “shop” on localhost.').waitFor()
    await soon(totals).toEqual(['4', '4', '2'])
    await soon(async () => (await rows('Live')).length).toBe(6)
    await visit('/spring', GOOGLEBOT, GERMANY)
    await soon(async () => (await rows('Live')).length).toBe(7)
    await page.goto('/app/statistics?tag=nothing&range=7d')
    await page.getByRole('heading', { name: 'No clicks in this period' }).waitFor()
    const longer = page.getByRole('button', { name: 'Show all time' })
    await longer.click()
    await soon(() => new URL(page.url()).searchParams.get('range')).toBe('all')
    await soon(() => page.getByLabel('Date range').inputValue()).toBe('all')
    // There is no longer period.
    await longer.waitFor({ state: 'detached' })
  })

  test('of a range are those of the days that are typed', async () => {
    await page.goto('/app/statistics?range=custom&from=2026-01-01&to=2026-01-31')
    const start = page.getByLabel('Start date')
    await start.waitFor()
    const rejected: string[] = []
    page.on('response', (response) => {
      if (response.status() === 422) rejected.push(response.url())
    })
    await start.focus()
    await page.keyboard.type('10102025', { delay: 50 })
    await soon(() => new URL(page.url()).searchParams.get('from')).toBe('2025-10-10')
    expect(await start.inputValue()).toBe('2025-10-10')
    expect(rejected).toEqual([])
    // A start after the end is not taken over.
    await start.fill('2026-02-01')
    await start.blur()
    expect(await start.inputValue()).toBe('2025-10-10')
    await page.goto('/app/statistics')
    await soon(totals).toEqual(['4', '4', '3'])
  })

  test('of one link are not mixed with those of the link before', async () => {
    const live = () => card('Live').getByRole('listitem').count()
    const open = async (code: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill(code)
      await page
        .getByRole('option', { name: new RegExp(`/${code}$`) })
        .first()
        .click()
      await page.waitForURL(new RegExp(`/links/${code}`))
    }
    // The second time both are in the cache.
    for (let times = 0; times < 2; times++) {
      await open('spring')
      await soon(live).toBe(7)
      await open('later')
      await card('Live').getByText('Waiting for clicks').waitFor()
    }
    await page.goto('/app/links/spring?country=DE')
    await card('Live').getByText('The filters do not apply here').waitFor()
  })

  test('keep one bar in view, mark the day that is not over, and know today and all time', async () => {
    await page.goto('/app/statistics')
    await soon(totals).toEqual(['4', '4', '3'])
    await page.mouse.wheel(0, 700)
    const bar = page.getByRole('group', { name: 'Period and filters' })
    await soon(async () => Math.round((await bar.boundingBox())?.y ?? -1)).toBe(8)
    await bar.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Single clicks (CSV)' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^at,code,domain,.*\r\n(.*\r\n){7}$/)
    const chart = page.getByRole('table', { name: 'Clicks over time' })
    expect(await chart.getByRole('rowheader').last().textContent()).toMatch(/, so far$/)
    for (const range of ['Today', 'This month', 'All time']) {
      await bar.getByLabel('Date range').selectOption(range)
      await soon(totals).toEqual(['4', '4', '3'])
    }
    await soon(() => rows('Most clicked links')).toEqual([expect.stringMatching(/\/spring[^]*\s4$/)])
    await page.goto('/app/statistics?device=mobile')
    await soon(() => rows('Most clicked links')).toEqual([expect.stringMatching(/\/spring[^]*\s2$/)])
    await page.goto('/app/')
    await soon(() => rows('Top links, 7 days')).toEqual([expect.stringMatching(/\/spring[^]*\s4$/)])
    await page.goto('/app/statistics?range=all')
    // All time begins with the first click.
    await soon(() => chart.getByRole('rowheader').count()).toBeLessThanOrEqual(2)
  })

  test('show all values in a dialog with a search, and call one thing Source', async () => {
    for (let site = 1; site <= 9; site++)
      await fetch(`${waymark.url}/routed`, {
        redirect: 'manual',
        headers: { 'user-agent': FIREFOX, referer: `https://site${site}.example/` },
      })
    await page.goto('/app/statistics')
    await card('Referrers').getByRole('button', { name: 'Show all 10' }).click()
    const dialog = page.getByRole('dialog', { name: 'Referrers' })
    await soon(() => dialog.getByRole('listitem').count()).toBe(10)
    await dialog.getByLabel('Search referrers').fill('site7')
    await soon(() => dialog.getByRole('listitem').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Source', exact: true }).count()).toBe(1)
    await page.getByRole('button', { name: 'Opened by', exact: true }).waitFor()
  })

  test('of a page name its buttons and say how often each is clicked', async () => {
    await page.goto(`/app/pages/${uuids.page}`)
    await page.getByRole('main').getByText('Statistics', { exact: true }).click()
    await page.getByRole('heading', { name: 'No views in this period' }).waitFor()
    await visit('/p/river-festival', FIREFOX, GERMANY)
    await visit('/p/river-festival', IPHONE, BRITAIN)
    for (const target of ['button/2', 'icon/0']) await click(target)
    await page.goto(`/app/pages/${uuids.page}`)
    await page.getByRole('main').getByText('Statistics', { exact: true }).click()
    await soon(() => rows('Buttons')).toEqual([expect.stringMatching(/Programme\s+1\s+50% of views/)])
    await soon(() => rows('Social icons')).toEqual([expect.stringMatching(/Instagram\s+1\s+50% of views/)])
    await page.locator('dt').getByText('Views', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'Views over time' }).waitFor({ state: 'attached' })
  })

  test('of a page follow clicks on its buttons, by the live stream and without it', async () => {
    const openStatistics = async (): Promise<void> => {
      await page.goto(`/app/pages/${uuids.page}`)
      await page.getByRole('main').getByText('Statistics', { exact: true }).click()
    }
    await openStatistics()
    await card('Live').getByRole('listitem').first().waitFor()
    await click('icon/0')
    await soon(() => rows('Social icons')).toEqual([expect.stringMatching(/Instagram\s+2\s+100% of views/)])

    await page.route('**/v1/live*', (route) => route.abort())
    await openStatistics()
    await soon(() => rows('Buttons')).toEqual([expect.stringMatching(/Programme\s+1\s+50% of views/)])
    // It leaves the totals, which are views, as they are.
    await click('button/2')
    await soon(() => rows('Buttons')).toEqual([expect.stringMatching(/Programme\s+2\s+100% of views/)])
    expect(visitor.faults).toEqual([])
  })

  test('of a link are shared at a public address, which a stranger reads until it ends', async () => {
    await page.unroute('**/v1/live*')
    const kit = { multipart: { color: '#7a1f5c', background: '#fff4e5' } }
    const sent = { headers: { origin: waymark.url } }
    expect((await page.request.post('/v1/edit-brand-kit', { ...kit, ...sent })).status()).toBe(200)
    await page.goto('/app/links/spring')
    await page.getByRole('button', { name: 'Share statistics' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share statistics' })
    await dialog.getByLabel('Expires').selectOption('In 7 days')
    await dialog.getByRole('button', { name: 'Create address' }).click()
    await dialog.getByRole('button', { name: 'Copy public address' }).click()
    const address = await clipboard(page)
    expect(address).toMatch(new RegExp(`^${waymark.url}/app/shared/[\\w-]{32}$`))
    await dialog.getByLabel('Expires').selectOption('Never')
    await soon(async () => (await read('/v1/shared-statistics')).data).toMatchObject([
      { type: 'link', name: 'Spring catalogue', shared_url: address, expires_at: null },
    ])

    const stranger = await newVisitor(browser, { url: waymark.url, isPhone: true })
    await stranger.page.goto(address)
    await stranger.page.getByRole('heading', { name: 'Spring catalogue' }).waitFor()
    const tiles = (): Promise<string[]> => stranger.page.locator('dd').allInnerTexts()
    expect(await tiles()).toEqual(['4', '4'])
    await stranger.page.getByRole('link', { name: '7 days' }).click()
    await stranger.page.waitForURL(/\?days=7$/)
    const countries = stranger.page.locator('section').filter({ hasText: 'Countries' })
    expect(await countries.getByRole('listitem').allInnerTexts()).toEqual(['Germany\n2', 'United Kingdom\n2'])
    // The colours of the brand, and no click of its own: the short link is text.
    const band = stranger.page.locator('.band')
    expect(await band.evaluate((node) => getComputedStyle(node).borderTopColor)).toBe('rgb(122, 31, 92)')
    expect(await band.evaluate((node) => getComputedStyle(node).backgroundColor)).toBe('rgb(255, 244, 229)')
    expect(await stranger.page.locator('script, a[href^="http"]').count()).toBe(0)
    expect(await findingsOf(stranger.page, LOOKS)).toEqual([])
    expect([stranger.faults, [...stranger.hosts]]).toEqual([[], [new URL(waymark.url).host]])
    await stranger.context.close()

    const response = await fetch(address)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-cache',
    })
    await page.keyboard.press('Escape')
    const remove = { data: { uuid: (await read('/v1/shared-statistics')).data[0].uuid as string }, ...sent }
    expect((await page.request.post('/v1/remove-links', remove)).status()).toBe(200)
    expect((await fetch(address)).status).toBe(404)
    const restore = { data: { uuids: [remove.data.uuid] }, ...sent }
    expect((await page.request.post('/v1/restore', restore)).status()).toBe(200)
    expect((await fetch(address)).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Share statistics' }).click()
    await dialog.getByRole('button', { name: 'Stop sharing' }).click()
    await dialog.getByRole('button', { name: 'Create address' }).waitFor()
    const ended = await fetch(address)
    expect([ended.status, await ended.text()]).toEqual([404, expect.stringContaining('no longer shared')])

    const asked = (token: string) =>
      fetch(`${waymark.url}/app/shared/${token}`, { headers: { 'x-forwarded-for': '192.0.2.77' } })
    const answers = await Promise.all(Array.from({ length: 70 }, (_, n) => asked(`guess-${n}`)))
    const limited = answers.filter(({ status }) => status === 429)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]))
    expect(limited[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    await page.goto('/app/settings?tab=audit')
    await page.getByText('stopped sharing the statistics of /spring').waitFor()
    await page.getByText('shared the statistics of /spring').first().waitFor()
  })

  test('of a page are shared from its builder', async () => {
    await page.goto(`/app/pages/${uuids.page}`)
    await page.getByRole('main').getByText('Statistics', { exact: true }).click()
    await page.getByRole('button', { name: 'Share statistics' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share statistics' })
    await dialog.getByRole('button', { name: 'Create address' }).click()
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('link', { name: 'Open' }).click(),
    ])
    await popup.getByRole('heading', { name: 'River Festival' }).waitFor()
    await popup.getByRole('heading', { name: 'Buttons' }).waitFor()
    expect(await popup.locator('dt').allInnerTexts()).toEqual(['Views', 'Visitors'])
    await popup.close()
    expect(visitor.faults).toEqual([])
  })
})
