/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, newVisitor, soon, toastOf } from './browser.ts'
import { openDashboard } from './dashboard.ts'

describe('errors appear at the field they are about', () => {
  let waymark: Waymark
  let browser: Browser
  let page: Page

  openDashboard((opened) => {
    ;({ waymark, browser, page } = opened)
  })

  /** The error message of a control, found as a screen reader finds it. */
  const faultOf = async (label: string | RegExp): Promise<string> => {
    const control = page.getByLabel(label, { exact: true })
    await page.locator('[aria-invalid="true"]').first().waitFor()
    const ids = ((await control.getAttribute('aria-describedby')) ?? '').split(' ')
    return (await page.locator(`[id="${ids[0]}"]`).textContent()) ?? ''
  }

  test('signing up: every wrong field at once, the first in focus', async () => {
    await page.goto('/app/sign-up')
    await page.getByLabel('Email').fill('nobody')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    expect(await faultOf('Email')).toBe('Must be a valid email address')
    expect(await faultOf('Password')).toBe(
      'Must be at least 8 characters with lower case, upper case, a digit and a symbol',
    )
    expect(await page.getByLabel('Email').evaluate((input) => input === document.activeElement)).toBe(true)
  })

  test('signing up twice with one address', async () => {
    const other = await newVisitor(browser, waymark)
    const email = await createAccount(other.page)
    await other.context.close()
    await page.goto('/app/sign-up')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('Correct-horse-7')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  })

  describe('for a signed-in user', () => {
    beforeAll(async () => {
      await createAccount(page)
    })

    test('a link: no address, a code that is taken, a date in the past', async () => {
      await page.goto('/app/')
      await page.getByLabel('URL to shorten').fill('no address')
      await page.keyboard.press('Enter')
      await page.getByText('Must be a valid http or https URL').waitFor()

      const make = async (code: string): Promise<void> => {
        await page.goto('/app/links?create=true')
        await page.getByLabel('Destination', { exact: true }).fill('https://example.com')
        await page.getByLabel('Short code').fill(code)
      }
      await make('mine')
      await page.keyboard.press('Enter')
      await toastOf(page, 'Short link created')
      await make('mine')
      await page.keyboard.press('Enter')
      expect(await faultOf(/^Short code/)).toBe('This short code is taken')
      await page.getByLabel('Short code').fill('mine-too')
      await page.locator('summary', { hasText: 'Schedule' }).click()
      await page.getByLabel('Expires').fill('2020-01-01')
      await page.getByRole('button', { name: 'Create link' }).click()
      expect(await faultOf(/^Expires/)).toBe('Must not be in the past')
    })

    test('a page: a button whose address is none', async () => {
      await page.goto('/app/pages/new')
      await page.getByLabel('Label of button 1').fill('Go')
      await page.getByLabel('URL of button 1').fill('nowhere')
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      expect(await faultOf('Title')).toBe('This field is required')
      expect(await faultOf('URL of button 1')).toBe('Must be a valid http or https URL')
    })

    test('a password that is not the old one', async () => {
      await page.goto('/app/settings?tab=security')
      await page.getByLabel('Current password').fill('Wrong-horse-1')
      await page.getByLabel('New password', { exact: true }).fill('Better-horse-1')
      await page.getByLabel('Confirm password').fill('Better-horse-2')
      await page.getByRole('button', { name: 'Change password' }).click()
      expect(await faultOf('Confirm password')).toBe('Must equal password')
      await page.getByLabel('Confirm password').fill('Better-horse-1')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByText('Confirm password').waitFor()
      await soon(() => faultOf('Current password')).not.toBe('')
    })

    test('a domain whose record is missing', async () => {
      await page.goto('/app/settings?tab=domains')
      await page.getByLabel('Domain', { exact: true }).fill('not a domain')
      await page.getByRole('button', { name: 'Add domain' }).click()
      expect(await faultOf('Domain')).toMatch(/^Must be a name such as/)
      await page.getByLabel('Domain', { exact: true }).fill('go.example.test')
      await page.getByRole('button', { name: 'Add domain' }).click()
      await page.getByText('Waiting for its DNS record').waitFor()
      await page.getByRole('button', { name: 'Verify' }).click()
      const message = page.getByRole('listitem').filter({ hasText: 'go.example.test' }).getByRole('alert')
      await message.waitFor()
      expect(await message.textContent()).not.toContain('Some fields are not valid')
      expect(await message.textContent()).toMatch(/TXT/)
    })

    test('a phone number that is none', async () => {
      await page.goto('/app/settings')
      await page.getByLabel('Phone').fill('call me maybe')
      await page.getByRole('button', { name: 'Save profile' }).click()
      expect(await faultOf(/^Phone/)).toMatch(/^Enter a phone number/)
      await page.getByLabel('Phone').fill('+49 30 1234567')
      await page.getByRole('button', { name: 'Save profile' }).click()
      await toastOf(page, /./)
    })

    test('a file that is no picture', async () => {
      await page.goto('/app/settings')
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
      await page.getByRole('button', { name: 'Save profile' }).click()
      await page.getByText('Must be an image').waitFor()
    })
  })
})
