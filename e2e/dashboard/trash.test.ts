/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, soon, toastOf } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { furnish } from './furnish.ts'

describe('removed things', () => {
  let waymark: Waymark
  let page: Page
  let uuids = { qr: '', page: '' }

  openDashboard(async (opened) => {
    ;({ waymark, page } = opened)
    await createAccount(page)
    await page.goto('/app/trash')
    uuids = (await furnish(page)).uuids
  })

  const statusOf = async (code: string): Promise<number> =>
    (await fetch(`${waymark.url}/${code}`, { redirect: 'manual' })).status
  const question = (name: RegExp) => page.getByRole('dialog', { name })

  test('a link that is used asks first, and says how much', async () => {
    const USER_AGENT = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' }
    for (let clicks = 0; clicks < 3; clicks++)
      await fetch(`${waymark.url}/spring`, { redirect: 'manual', headers: USER_AGENT })
    await soon(() =>
      page.evaluate(async () => {
        const list = (await (await fetch('/v1/links?search=spring')).json()) as {
          data: { code: string; clicks: number }[]
        }
        return list.data.find(({ code }) => code === 'spring')?.clicks
      }),
    ).toBe(3)
    await page.goto('/app/links/spring')
    const remove = page.getByRole('button', { name: 'Remove', exact: true })
    await remove.click()
    await question(/^Remove this link/)
      .getByText('3 clicks in the last 30 days.')
      .waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await statusOf('spring')).toBe(302)

    await remove.click()
    await question(/^Remove this link/)
      .getByRole('button', { name: 'Move to trash' })
      .click()
    await toastOf(page, '1 link removed')
    await page.waitForURL(/\/app\/links$/)
    await soon(() => statusOf('spring')).toBe(410)
  })

  test('come back by Undo', async () => {
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(() => statusOf('spring')).toBe(302)
    await page.getByRole('checkbox', { name: /\/spring$/ }).waitFor()
  })

  test('a code that may be printed asks, and the trash restores it', async () => {
    await page.goto(`/app/codes/qr/${uuids.qr}`)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const asked = question(/^Remove this QR code/)
    await asked.getByText('This code may be printed.').waitFor()
    await asked.getByRole('button', { name: 'Move to trash' }).click()
    await page.waitForURL(/\/app\/codes$/)
    await page.goto('/app/trash')
    const row = page.getByRole('listitem').filter({ hasText: 'Menu, on the tables' })
    await row.getByText('QR code, removed').waitFor()
    await row.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    await page.goto(`/app/codes/qr/${uuids.qr}`)
    await page.getByRole('heading', { level: 1, name: 'Menu, on the tables' }).waitFor()
  })

  test('a page asks, and comes back by Undo', async () => {
    await page.goto(`/app/pages/${uuids.page}`)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const asked = question(/^Remove this page/)
    await asked.getByText('Its QR code may be printed.').waitFor()
    await asked.getByRole('button', { name: 'Move to trash' }).click()
    await soon(() => statusOf('p/river-festival')).toBe(410)
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(() => statusOf('p/river-festival')).toBe(200)
  })
})
