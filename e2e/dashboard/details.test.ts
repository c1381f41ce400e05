/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { clipboard, createAccount, newVisitor, soon, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { furnish } from './furnish.ts'

describe('details', () => {
  let waymark: Waymark
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let uuids = { qr: '', page: '' }

  openDashboard(async (opened) => {
    ;({ waymark, browser, visitor, page } = opened)
    await createAccount(page)
    await page.goto('/app/')
    uuids = (await furnish(page)).uuids
  })

  const phone = async (): Promise<Visitor> => {
    const opened = await newVisitor(browser, { url: waymark.url, isPhone: true })
    await opened.context.addCookies(await visitor.context.cookies())
    return opened
  }

  test('an invalid field is red while it is focused', async () => {
    await page.goto('/app/links?create=true')
    await page.getByRole('button', { name: 'Create link' }).click()
    const field = page.getByLabel('Destination', { exact: true })
    await page.locator('[aria-invalid="true"]').first().waitFor()
    await field.focus()
    const [border, danger] = await field.evaluate((input) => {
      const probe = document.createElement('i')
      probe.className = 'text-danger'
      input.after(probe)
      return [getComputedStyle(input).borderTopColor, getComputedStyle(probe).color]
    })
    expect(border).toBe(danger)
  })

  test('controls side by side have one height', async () => {
    await page.goto('/app/links')
    await page.locator('tbody tr').first().waitFor()
    const heights = await page
      .locator('main :is(.button:not(.button-icon), select.input, input[type=search], fieldset > div)')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height).filter((one) => one > 0))
    expect(new Set(heights.map(Math.round))).toEqual(new Set([40]))
    // The heads of the columns stand on one line, whether or not they sort.
    const tops = await page.locator('thead th').evaluateAll((all) =>
      all
        .filter((head) => head.querySelector('input, .sr-only') === null && head.checkVisibility())
        .map((head) => {
          const text = document.createRange()
          text.selectNodeContents(head.querySelector('button')?.firstChild ?? head)
          return text.getBoundingClientRect()
        })
        .map(({ top, height }) => Math.round(top + height / 2)),
    )
    expect(tops.length).toBeGreaterThan(2)
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(2)
  })

  test('Home has tiles with their change, recent links of one’s own, and cards are equal', async () => {
    await page.goto('/app/')
    const tiles = page.getByRole('region', { name: 'Last 7 days' }).getByRole('link')
    await soon(() => tiles.allInnerTexts()).toEqual(
      ['Clicks', 'Visitors', 'Scans'].map((name) =>
        expect.stringMatching(`^${name}, 7 days\\s+0\\s+no change`),
      ),
    )
    const recent = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Recent links' }) })
    await recent.getByText('/routed', { exact: true }).waitFor()
    const { data } = await (await page.request.get('/v1/links')).json()
    const owned = data.filter(({ owner }: { owner: object | null }) => owner !== null)
    expect(owned.length).toBeGreaterThan(2)
    for (const { code } of owned) expect(await recent.getByText(`/${code}`, { exact: true }).count()).toBe(0)
    const heightsOf = (cards: Locator): Promise<number[]> =>
      cards.evaluateAll((all) => [
        ...new Set(all.map((one) => Math.round(one.getBoundingClientRect().height))),
      ])
    expect(await heightsOf(tiles)).toHaveLength(1)
    await page.goto('/app/codes')
    await page.locator('main li').nth(2).waitFor()
    expect(await heightsOf(page.locator('main li'))).toHaveLength(1)
    // The theme of this page leaves the text to the page, which makes it white on blue.
    await page.goto('/app/pages')
    const text = page.locator('main li svg').locator('rect[width="24"]')
    expect(await text.first().getAttribute('fill')).toBe('#ffffff')
  })

  test('a missing code is not a missing page, and nothing is called required before it is missing', async () => {
    await page.goto('/app/codes/qr/00000000-0000-7000-8000-000000000000')
    await page.getByRole('heading', { name: 'Code not found' }).waitFor()
    await page.goto('/app/pages/new')
    const label = page.getByLabel('Label of button 1')
    await label.fill('Tickets')
    await label.fill('')
    // A tab of a spreadsheet, and a control character that is not seen.
    await page.getByLabel('Title', { exact: true }).fill('River\t\u001bFestival')
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('River Festival')
    expect(await page.getByText('This field is required').count()).toBe(0)
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(0)
  })

  test('a page without changes cannot be published again', async () => {
    await page.goto(`/app/pages/${uuids.page}`)
    const publish = page.getByRole('button', { name: 'Publish changes' })
    await soon(() => publish.isDisabled()).toBe(true)
    await page.getByLabel('Title', { exact: true }).fill('River Festival 2027')
    await soon(() => publish.isDisabled()).toBe(false)
  })

  test('the trash can be emptied, and all data taken along', async () => {
    await page.goto('/app/')
    await page.evaluate(async () => {
      const { data } = (await (await fetch('/v1/links?code=locked')).json()) as { data: { uuid: string }[] }
      await fetch('/v1/remove-links', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ uuid: data[0]?.uuid }),
      })
    })
    await page.goto('/app/trash')
    await page.getByRole('button', { name: 'Empty trash' }).click()
    await page.getByRole('button', { name: 'Erase everything' }).click()
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    expect((await fetch(`${waymark.url}/locked`, { redirect: 'manual' })).status).toBe(410)
    await page.goto('/app/settings?tab=workspace')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the data' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.tar\.gz$/)
  })

  test('the empty list of barcodes names every type', async () => {
    const other = await newVisitor(browser, waymark)
    await createAccount(other.page)
    await other.page.goto('/app/codes?kind=barcode')
    await other.page.getByText(/Code 128.*EAN-13.*Code 39/).waitFor()
    await other.context.close()
  })

  test('on a phone keys do not overprint, and the verdict of the studio is in view', async () => {
    const { page: small, context } = await phone()
    await small.goto('/app/')
    await small.evaluate(() =>
      fetch('/v1/generate-key', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Order emails of the shop', scope: 'read', signature_required: true }),
      }).then((response) => response.status),
    )
    await small.goto('/app/settings?tab=keys')
    const row = small.getByRole('listitem').filter({ hasText: 'Order emails' })
    await row.waitFor()
    const boxes = await row
      .locator('p')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    const overlaps = boxes.some((a: DOMRect, at: number) =>
      boxes
        .slice(at + 1)
        .some(
          (b: DOMRect) =>
            a.top < b.bottom - 1 && b.top < a.bottom - 1 && a.left < b.right - 1 && b.left < a.right - 1,
        ),
    )
    expect(overlaps).toBe(false)
    expect(
      await row
        .locator('p')
        .nth(1)
        .evaluate((one) => one.scrollWidth <= one.clientWidth),
    ).toBe(true)
    await small.goto(`/app/codes/qr/${uuids.qr}`)
    const verdict = small.getByText('Scans reliably')
    await verdict.waitFor()
    await small.mouse.wheel(0, 600)
    await soon(async () => (await verdict.boundingBox())?.y ?? -1).toBeGreaterThan(0)
    expect((await verdict.boundingBox())?.y).toBeLessThan(500)
    await context.close()
  })

  test('on a phone the bars hold a long name of a workspace, and every label', async () => {
    const { page: small, context } = await phone()
    const headers = { origin: waymark.url }
    const { data } = await (await small.request.get('/v1/workspaces')).json()
    const rename = (name: string) =>
      small.request.post('/v1/edit-workspace', { headers, data: { uuid: data[0].uuid, name } })
    expect((await rename('Marketing and communication in Europe')).status()).toBe(200)
    await small.goto('/app/trash')
    await small.getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
    for (const width of [320, 390]) {
      await small.setViewportSize({ width, height: 700 })
      for (const bar of [
        small.getByRole('banner').locator('a, button'),
        small.getByRole('navigation', { name: 'Main' }).locator('a:visible'),
      ]) {
        const spans = await bar.filter({ visible: true }).evaluateAll((all) =>
          all.map((one) => {
            const boxes = [one, ...one.querySelectorAll('svg')].map((part) => part.getBoundingClientRect())
            if (one.lastChild?.nodeType === Node.TEXT_NODE) {
              const label = document.createRange()
              label.selectNode(one.lastChild)
              boxes.push(label.getBoundingClientRect())
            }
            return [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))]
          }),
        )
        expect(spans.length).toBeGreaterThan(3)
        const overlaps = spans.filter(([, end = 0], at) => end > (spans[at + 1]?.[0] ?? width) + 1)
        expect([width, overlaps]).toEqual([width, []])
      }
    }
    expect((await rename(data[0].name)).status()).toBe(200)
    await context.close()
  })

  test('on a phone nothing is cut, wraps alone or is empty', async () => {
    const { page: small, context } = await phone()
    await small.goto(`/app/pages/${uuids.page}`)
    const top = async (name: string): Promise<number> =>
      Math.round((await small.getByText(name, { exact: true }).first().boundingBox())?.y ?? -1)
    const remove = await small.getByRole('button', { name: 'Remove', exact: true }).boundingBox()
    expect(Math.abs((await top('Duplicate')) - (remove?.y ?? 0))).toBeLessThan(20)
    expect(Math.abs((await top('Preview')) - (remove?.y ?? 0))).toBeLessThan(20)

    await small.goto('/app/links?state=all')
    const search = small.getByLabel('Search links')
    await small.getByRole('button', { name: 'Filters (1)' }).waitFor()
    const isWhole = (field: HTMLInputElement): boolean => {
      const text = field.cloneNode() as HTMLInputElement
      text.style.cssText = 'width: auto; field-sizing: content'
      field.after(text)
      const needed = text.getBoundingClientRect().width
      text.remove()
      return needed <= field.getBoundingClientRect().width
    }
    expect(await search.evaluate(isWhole)).toBe(true)

    const routed = small.locator('tbody tr').filter({ hasText: '/routed' })
    const boxes = [routed.locator('.plate'), routed.getByRole('img', { name: 'Redirects by rules' })]
    const [plate, icon] = await Promise.all(boxes.map((one) => one.boundingBox()))
    expect(icon?.y).toBeLessThan((plate?.y ?? 0) + (plate?.height ?? 0))

    const code = 'spring-sale-in-all-shops-of-the-town-and-by-mail-order-2026-print'.slice(0, 64)
    const made = await small.request.post('/v1/generate-link', {
      headers: { origin: waymark.url },
      data: { link: 'https://example.com/sale', customLink: code },
    })
    expect(made.status()).toBe(201)
    await small.request.get(`/${code}`, { maxRedirects: 0 })
    for (const [path, place] of [
      [`/app/links/${code}`, small.getByRole('heading', { level: 1 })],
      ['/app/statistics', small.getByRole('listitem').filter({ has: small.getByRole('link') })],
    ] as const) {
      await small.goto(path)
      const whole = place.getByText(`/${code}`, { exact: true }).first()
      await whole.waitFor()
      expect(await whole.evaluate((one) => one.scrollWidth <= one.clientWidth + 1)).toBe(true)
    }

    // A caption below the picture of a code, a name in the list of codes, and the hints of a campaign.
    const isCut = (one: HTMLElement): boolean =>
      one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1
    await small.goto(`/app/codes/qr/${uuids.qr}`)
    const caption = small.locator('figcaption')
    await caption.getByText('Opens').waitFor()
    expect(await caption.evaluate(isCut)).toBe(false)
    await small.goto('/app/codes')
    const names = small.locator('[dir=auto]', { hasText: `${new URL(waymark.url).host}/` })
    await names.first().waitFor()
    for (const name of await names.all()) expect(await name.evaluate(isCut)).toBe(false)
    const tagged = await small.request.post('/v1/generate-utm', {
      headers: { origin: waymark.url },
      data: {
        url: 'https://example.com/landing',
        source: 'flyer',
        medium: 'print',
        campaign: 'Donaudampfschiff'.repeat(15),
        content: 'header',
      },
    })
    expect(tagged.status()).toBe(201)
    await small.goto('/app/utm')
    await small
      .getByRole('button', { name: /^\d hints?$/ })
      .first()
      .click()
    const hint = small.getByRole('listitem').getByText(/^Campaign has capital letters/)
    await hint.waitFor()
    expect(await hint.evaluate(isCut)).toBe(false)

    await small.goto('/app/links/routed?view=rules')
    const date = small.locator('input[type=date]').first()
    await date.waitFor()
    expect((await date.boundingBox())?.width).toBeGreaterThan(130)

    await small.goto('/app/codes/barcode/new')
    await small.getByRole('heading', { name: 'Design' }).waitFor()
    const heights = await small
      .locator('main section')
      .evaluateAll((all) => all.map((card) => [card.childElementCount, card.getBoundingClientRect().height]))
    expect(heights.filter(([children, height]) => children === 0 && height !== 0)).toEqual([])
    await context.close()
  })

  /** Taps what a person sees: it is in the window, perhaps after scrolling, and nothing covers it. */
  const tap = async (target: Locator): Promise<void> => {
    await target.waitFor()
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (box === null) throw new Error('Nothing to tap')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const isOnTop = await target.evaluate(
      (one, [x, y]) => {
        const top = document.elementFromPoint(x, y)
        return one.contains(top) || top?.contains(one) === true
      },
      [x, y] as const,
    )
    expect(isOnTop, String(target)).toBe(true)
    await target.page().mouse.click(x, y)
  }

  test('on a phone a link is shortened, tagged, found, its statistics shared, removed and restored by tapping', async () => {
    const { page: small, context, faults } = await phone()
    await small.goto('/app/')
    await tap(small.getByLabel('URL to shorten'))
    await small.keyboard.type('https://example.com/river/boats')
    await tap(small.getByRole('button', { name: 'Shorten' }))
    await small.getByText('Copied. Destination:').waitFor()
    const short = await clipboard(small)
    const code = short.split('/').at(-1) ?? ''

    await tap(small.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links' }))
    const row = small.locator('tbody tr').filter({ hasText: code })
    const more = row.getByRole('button', { name: /^More for/ })
    await tap(more)
    await tap(small.getByRole('menuitem', { name: 'Edit' }))
    const panel = small.getByRole('dialog')
    await tap(panel.getByLabel(/^Tags/).first())
    await small.keyboard.type('boats,')
    await tap(panel.getByRole('button', { name: /^Save/ }))
    await panel.waitFor({ state: 'hidden' })

    await tap(small.getByLabel('Search links'))
    await small.keyboard.type('river/boats')
    await soon(() => small.locator('tbody tr').count()).toBe(1)
    await row.getByText('boats', { exact: true }).first().waitFor()

    await tap(row.getByRole('link', { name: new RegExp(code) }).first())
    await tap(small.getByRole('button', { name: 'Share statistics' }))
    const sharing = small.getByRole('dialog', { name: 'Share statistics' })
    await tap(sharing.getByRole('button', { name: 'Create address' }))
    await tap(sharing.getByRole('button', { name: 'Copy public address' }))
    await sharing.getByRole('button', { name: 'Copied' }).waitFor()
    const shared = await (await fetch(await clipboard(small))).text()
    expect(shared).toContain(`<h1 dir="auto">${code}</h1>`)
    await tap(sharing.getByRole('button', { name: 'Close' }))
    await sharing.waitFor({ state: 'hidden' })
    await tap(small.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links' }))

    await tap(more)
    await tap(small.getByRole('menuitem', { name: 'Remove' }))
    await row.waitFor({ state: 'detached' })
    await tap(small.getByRole('button', { name: 'Undo' }))
    await row.waitFor()
    expect((await fetch(short, { redirect: 'manual' })).status).toBe(302)
    expect(faults).toEqual([])
    await context.close()
  })
})
