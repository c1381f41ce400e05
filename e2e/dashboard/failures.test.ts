/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, soon, toastOf } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { faults, MAX_REQUESTS, queriesOf, requestsWhileFailing } from './failing-queries.ts'
import { furnish } from './furnish.ts'

describe('a part of Home that fails', () => {
  let page: Page

  openDashboard(async (opened) => {
    ;({ page } = opened)
    await createAccount(page)
    await page.goto('/app/')
    await furnish(page)
  })

  test.each(faults)('is shown as such, %s, and the others are there', async (fault) => {
    const codes = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Codes' }) })
    const retry = codes.getByRole('button', { name: 'Try again' })
    const requests = await requestsWhileFailing(page, '/app/', '/v1/qrcode', fault, () => retry.waitFor())
    expect(requests).toBeGreaterThan(0)
    expect(requests).toBeLessThanOrEqual(MAX_REQUESTS)
    await page.getByText('/routed').first().waitFor()
    await page.getByText('Clicks, 7 days').waitFor()
    expect(await page.locator('.skeleton').count()).toBe(0)
    // The retry button, or the probe that has found the server again.
    if (fault === 'unavailable') await retry.click()
    await codes.getByRole('img').first().waitFor()
  })

  test('asks for nothing that another part would make it ask for again', async () => {
    expect((await queriesOf(page, '/app/')).toSorted()).toEqual([
      '/v1/analytics',
      '/v1/links',
      '/v1/qrcode',
      '/v1/workspaces',
    ])
  })
})

describe('a card of Security that fails', () => {
  let page: Page

  openDashboard(async (opened) => {
    ;({ page } = opened)
    await createAccount(page)
  })

  test.each(faults)('is shown as such, %s, and the others stay', async (fault) => {
    const path = '/app/settings?tab=security'
    const requests = await requestsWhileFailing(page, path, '/v1/sessions', fault)
    expect(requests).toBeGreaterThan(0)
    expect(requests).toBeLessThanOrEqual(MAX_REQUESTS)
    await page.getByRole('heading', { name: 'Recent sign-ins and changes' }).waitFor()
    expect(await page.locator('.skeleton').count()).toBe(0)
    if (fault === 'unavailable') await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('This session').waitFor()
  })
})

describe('a QR studio without its brand kit', () => {
  let page: Page

  openDashboard(async (opened) => {
    ;({ page } = opened)
    await createAccount(page)
  })

  test('opens, and asks for the kit a few times', async () => {
    const requests = await requestsWhileFailing(page, '/app/codes/qr/new', '/v1/brand-kit', 'unavailable')
    expect(requests).toBeGreaterThan(0)
    expect(requests).toBeLessThanOrEqual(MAX_REQUESTS)
    await page.getByRole('heading', { name: 'Design' }).waitFor()
  })
})

describe('a link that cannot be loaded', () => {
  let page: Page

  openDashboard(async (opened) => {
    ;({ page } = opened)
    await createAccount(page)
  })

  test('says so under a heading, and loads at the next try', async () => {
    const retry = page.getByRole('button', { name: 'Try again' })
    await requestsWhileFailing(page, '/app/links/elsewhere', '/v1/links', 'unavailable', () =>
      retry.waitFor(),
    )
    await page.getByRole('heading', { name: 'This screen could not be loaded' }).waitFor()
    await retry.click()
    await page.getByRole('heading', { name: 'Link not found' }).waitFor()
  })
})

describe('a browser that goes offline', () => {
  let page: Page

  openDashboard(async (opened) => {
    ;({ page } = opened)
    await createAccount(page)
  })

  test('says so, and recovers by itself', async () => {
    await page.goto('/app/links')
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
  })

  test('a server that is gone is asked less and less often, and its return is noticed', async () => {
    await page.goto('/app/')
    await page.getByText('Clicks, 7 days').waitFor()
    const gone = '**/{v1,livez}**'
    await page.route(gone, (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name: 'Campaigns' }).first().click()
    await page.getByText('The server cannot be reached. Trying again.').waitFor()
    await page.unroute(gone)
    await page.getByText('The server cannot be reached. Trying again.').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
  })
})

describe('a screen that is opened while the server is down', () => {
  let waymark: Waymark
  let page: Page

  openDashboard((opened) => {
    ;({ waymark, page } = opened)
  })

  test('says so, keeps the navigation, and opens once the server is back', async () => {
    await createAccount(page)
    await page.goto('/app/links')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waymark.end()
    await page.getByRole('link', { name: 'Campaigns' }).first().click()
    await page.getByRole('heading', { name: 'This screen could not be loaded' }).waitFor()
    await page.getByRole('link', { name: 'Links' }).first().waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The server still cannot be reached.').waitFor()
    await page.keyboard.press('Control+k')
    await toastOf(page, 'could not be loaded')
    await waymark.restart()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
    await soon(() => page.url()).toContain('/app/utm')
  })
})
