import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { newVisitor, PASSWORD, signUp, soon } from './browser.ts'

const NEW_PASSWORD = 'Another-horse-8'

describe('mails about an account', () => {
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

  /** What has come so far. */
  const mails = () =>
    mailbox.mails.map((mail) => ({ to: /^To: (.*?)\r?$/m.exec(mail)?.[1] ?? '', text: mail }))
  const linkTo = async (email: string, path: string): Promise<string> => {
    const link = new RegExp(`https?://\\S+/app/${path}\\?token=[\\w-]+`)
    const find = (): string | undefined =>
      mails()
        .map(({ to, text }) => (to === email ? link.exec(text)?.[0] : undefined))
        .find((one) => one !== undefined)
    await soon(find).toBeDefined()
    return find() ?? ''
  }

  /** Confirms an address as its owner does: the profile says that it waits, and the mail has the link. */
  const confirm = async (page: Page, email: string): Promise<void> => {
    await page.goto('/app/settings')
    await page.getByText('This address is not confirmed yet.').waitFor()
    await page.goto(await linkTo(email, 'confirm-email'))
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await page.goto('/app/settings')
    await page.getByRole('button', { name: 'Change email' }).waitFor()
    expect(await page.getByText('This address is not confirmed yet.').count()).toBe(0)
  }

  test('an email address is changed, and the old one can cancel the change', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    const email = await signUp(page)
    await confirm(page, email)
    const next = `next-${email}`
    await page.getByLabel('New email address').fill(next)
    let rejections = 1
    // The session is new, so its first request is rejected in the server's place.
    await page.route('**/v1/change-email', (route) =>
      rejections-- > 0
        ? route.fulfill({ status: 403, json: { error: 'Confirm that it is you', reauthenticate: true } })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Change email' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Password', { exact: true }).fill('Wrong-horse-1')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('This is not the current password').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText(`Waiting for ${next} to be confirmed.`).waitFor()
    expect(await page.getByLabel('New email address').inputValue()).toBe('')

    // The owner may read the mail on a device that is not signed in.
    await context.clearCookies()
    await page.goto(await linkTo(email, 'cancel-email-change'))
    await page.getByRole('button', { name: 'Cancel the change' }).click()
    await page.getByText('Change of the email address cancelled').waitFor()
    await page.getByRole('link', { name: 'Set a new password' }).click()
    await page.getByRole('button', { name: 'Send link' }).waitFor()
    await page.goto(await linkTo(next, 'confirm-email'))
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.getByText('This link is no longer valid').waitFor()
    await context.close()
  })

  test('a forgotten password is replaced through a mail, once, and the same is said to those who have no account', async () => {
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
