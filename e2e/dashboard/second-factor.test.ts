/// <reference lib="dom" />
import { generateSync } from 'otplib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { createAccount, newVisitor, PASSWORD, toastOf } from './browser.ts'

describe('two-step sign-in', () => {
  let waymark: Waymark
  let browser: Browser
  beforeAll(async () => {
    waymark = await startWaymark()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await waymark.stop()
  })

  test('is set up, asked for at the next sign-in, and removed', async () => {
    const { page, context, faults } = await newVisitor(browser, waymark)
    const email = await createAccount(page)
    await page.goto('/app/settings?tab=security')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    await page.getByLabel('Code', { exact: true }).fill('000')
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('This code is not valid').first().waitFor()
    await page.getByLabel('Code', { exact: true }).fill(generateSync({ secret }))
    await page.getByRole('button', { name: 'Switch on' }).click()
    const shown = await page.getByRole('dialog').locator('pre').textContent()
    const codes = (shown ?? '').trim().split('\n')
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('10 of 10 recovery codes left').waitFor()

    await context.clearCookies()
    await page.goto('/app/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await page.getByLabel('Code', { exact: true }).fill('nonsense')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The code is wrong or was already used').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()

    await page.goto('/app/settings?tab=security')
    await page.getByText('9 of 10 recovery codes left').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await toastOf(page, 'Authenticator app removed')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('a change that needs a proof asks for the password and goes on', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    await createAccount(page)
    let rejections = 1
    // The session is new, so its first request is rejected in the server's place.
    await page.route('**/v1/set-up-totp', (route) =>
      rejections-- > 0
        ? route.fulfill({ status: 403, json: { error: 'Confirm that it is you', reauthenticate: true } })
        : route.continue(),
    )
    await page.goto('/app/settings?tab=security')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await context.close()
  })
})
