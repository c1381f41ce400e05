/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { clipboard, createAccount, soon, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'

/** The tests run in order; each depends on the one before. */
describe('the link panel', () => {
  let waymark: Waymark
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ waymark, visitor, page } = opened)
    await createAccount(page)
  })

  const panel = () => page.getByRole('dialog', { name: 'New link' })
  const fold = (name: string): Promise<void> => panel().locator('summary', { hasText: name }).click()
  const newest = (): Promise<Record<string, unknown>> =>
    page.evaluate(async () => {
      const { data } = (await (await fetch('/v1/links?limit=1')).json()) as {
        data: Record<string, unknown>[]
      }
      return data[0] ?? {}
    })

  test('creates a link with tags, UTM parameters, a schedule with times, and switches', async () => {
    await page.goto('/app/links?create=true')
    await panel().getByLabel('Destination', { exact: true }).fill('example.com/shop?a=1#top')
    await panel().getByLabel('Short code').fill('spring')
    await panel().getByText('localhost/', { exact: true }).waitFor()
    await panel()
      .getByRole('img', { name: `QR code for ${waymark.url}/spring` })
      .waitFor()
    const tags = panel().getByRole('combobox', { name: 'Tags' })
    await tags.fill('shop')
    await tags.press('Enter')
    await tags.fill('mail,')
    await tags.fill('left in the field')
    await fold('UTM parameters')
    await panel().getByLabel('Source').fill('newsletter')
    await panel().getByLabel('Campaign').fill('Spring')
    await panel()
      .getByText(/Campaign has capital letters/)
      .waitFor()
    await fold('Schedule')
    await panel()
      .getByText(/Time zone: /)
      .first()
      .waitFor()
    await panel().getByLabel('Starts').fill('2035-01-02')
    await panel().getByLabel('Expires').fill('2035-03-04')
    await panel().getByLabel('Expiry time').fill('18:30')
    await fold('Social preview')
    await panel().getByLabel('Card title').fill('Spring is here')
    await panel()
      .getByRole('region', { name: 'Social preview' })
      .getByText('Spring is here')
      .first()
      .waitFor()
    await panel()
      .getByLabel('Card image')
      .setInputFiles({
        name: 'card.png',
        mimeType: 'image/png',
        buffer: await sharp({ create: { width: 60, height: 30, channels: 3, background: '#0b4638' } })
          .png()
          .toBuffer(),
      })
    await panel().getByRole('region', { name: 'Social preview' }).locator('img').waitFor()
    await fold('More options')
    await panel().getByLabel('Forward query parameters').check()
    await panel().getByLabel('Archived').check()
    await panel().getByRole('button', { name: 'Create link' }).click()
    await toastOf(page, 'Short link created')
    const local = (...parts: [number, number, number, number, number]): Promise<string> =>
      page.evaluate((given) => new Date(...given).toISOString(), parts)
    expect(await newest()).toMatchObject({
      link: 'https://example.com/shop?a=1&utm_source=newsletter&utm_campaign=Spring#top',
      code: 'spring',
      tags: ['shop', 'mail', 'left in the field'],
      starts_at: await local(2035, 0, 2, 0, 0),
      expire: await local(2035, 2, 4, 18, 30),
      forward_query: true,
      archived: true,
      preview: {
        title: 'Spring is here',
        description: null,
        image: expect.stringMatching(/\/m\/[0-9a-f]{64}/) as string,
      },
    })
  })

  test('says while a short code is typed whether it can be used', async () => {
    await page.goto('/app/links?create=true')
    const code = panel().getByLabel('Short code')
    for (const [typed, said] of [
      ['spring-2', 'Available'],
      ['spring', 'Taken by another link of yours'],
      ['docs', 'This word is reserved'],
      ['a b', 'Must be 1 to 64 letters, digits, hyphens or underscores'],
    ] as const) {
      await code.fill(typed)
      await panel().getByText(said, { exact: true }).waitFor()
    }
    expect(visitor.faults).toEqual([])
  })

  test('on a phone, rows have title, destination and tags in readable form, and copy the short link', async () => {
    await page.evaluate(() =>
      fetch('/v1/generate-link', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          link: 'https://xn--bcher-kva.example/stra%C3%9Fe',
          customLink: 'books',
          title: 'Books',
          tags: ['shop'],
        }),
      }).then((response) => response.status),
    )
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/app/links')
    const row = page.getByRole('row').filter({ hasText: '/books' })
    await row.waitFor()
    const lines = (await row.innerText()).split('\n').map((line) => line.trim())
    expect(lines.filter((line) => /Books|books|bücher|shop/.test(line))).toEqual([
      'Books',
      expect.stringMatching(/books$/),
      'bücher.example/straße',
      'shop',
    ])
    await row.getByRole('button', { name: /^Copy / }).click()
    await soon(() => clipboard(page)).toBe(`${waymark.url}/books`)
  })
})
