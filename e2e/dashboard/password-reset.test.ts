import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { newVisitor, PASSWORD, signUp, soon } from './browser.ts'

const NEW_PASSWORD = 'Another-horse-8'

describe('a forgotten password', () => {
  let mailbox: Mailbox
  let waymark: Waymark
  let browser: Browser

  beforeAll(async () => {
    mailbox = await openMailbox()
    waymark = await startWaymark({ SMTP_URL: mailbox.url })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await waymark.stop()
    await mailbox.close()
  })

  /** What has come so far, without the soft line breaks and escapes of quoted-printable. */
  const mails = () =>
    mailbox.mails.map((mail) => ({
      to: /^To: (.*?)\r?$/m.exec(mail)?.[1] ?? '',
      text: mail.replaceAll('=\r\n', '').replaceAll('=3D', '='),
    }))

  /** Confirms an address as its owner does: the profile says that it waits, and the mail has the link. */
  const confirm = async (page: Page, email: string): Promise<void> => {
    await page.goto('/app/settings')
    await page.getByText('This address is not confirmed yet.').waitFor()
    const link = /https?:\/\/\S+\/app\/confirm-email\?token=[\w-]+/
    const addressOf = (): string | undefined =>
      mails()
        .map(({ to, text }) => (to === email ? link.exec(text)?.[0] : undefined))
        .find((one) => one !== undefined)
    await soon(addressOf).toBeDefined()
    await page.goto(addressOf() ?? '')
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await page.goto('/app/settings')
    await page.getByRole('button', { name: 'Change email' }).waitFor()
    expect(await page.getByText('This address is not confirmed yet.').count()).toBe(0)
  }

  test('is replaced through a mail, once, and the same is said to those who have no account', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    const email = await signUp(page)
    await confirm(page, email)
    await context.clearCookies()

    const said: (string | null)[] = []
    for (const who of ['nobody@example.com', email]) {
      await page.goto('/app/sign-in')
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      // Signing in has a field of the same name, which is there until this screen has come.
      const send = page.getByRole('button', { name: 'Send link' })
      await send.waitFor()
      await page.getByLabel('Email').fill(who)
      await send.click()
      said.push(await page.locator('main').getByRole('status').textContent())
    }
    expect(said[0]).toBe(said[1])
    const resets = () => mails().filter(({ text }) => text.includes('/app/reset-password'))
    await soon(() => resets().length).toBe(1)
    const [mail] = resets()
    expect(mail?.to).toBe(email)
    const address = /https?:\/\/\S+\/app\/reset-password\?token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(address).toContain(waymark.url)

    await page.goto(address)
    await page.getByLabel('Keep API keys and webhooks').waitFor()
    await page.getByLabel('New password').fill('weak')
    await page.getByLabel('Confirm password').fill('weak')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Must be at least 8 characters with').waitFor()
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()

    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()

    await page.goto(address)
    await page.getByLabel('New password').fill('Third-horse-99')
    await page.getByLabel('Confirm password').fill('Third-horse-99')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('alert').waitFor()
    await context.close()
  })
})
