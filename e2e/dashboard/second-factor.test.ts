/// <reference lib="dom" />
import { generateSync } from 'otplib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/services/chromium.ts'
import { CLIENT, openProvider, type OpenIdProvider } from '../../scripts/services/openid-provider.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'
import { createAccount, newVisitor, PASSWORD, toastOf } from './browser.ts'

describe('two-step sign-in', () => {
  let waymark: Waymark
  let browser: Browser
  let provider: OpenIdProvider
  beforeAll(async () => {
    provider = await openProvider()
    waymark = await startWaymark({
      ...CLIENT,
      OIDC_ISSUER: provider.issuer,
      OIDC_NAME: 'Example ID',
      OIDC_SIGNUP: 'on',
      OIDC_DOMAINS: 'staff.example',
    })
    provider.allow(waymark.url)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await waymark.stop()
    provider.close()
  })

  test('is set up, asked for at the next sign-in, and removed', async () => {
    const { page, context, faults } = await newVisitor(browser, waymark)
    const email = await createAccount(page)
    await page.goto('/app/settings?tab=security')
    await page.getByText('A stolen password is enough to sign in').waitFor()
    await page.getByText('Signed up', { exact: true }).waitFor()
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
    await page.emulateMedia({ media: 'print' })
    await page.getByText(`Recovery codes for ${email} at ${new URL(waymark.url).host}`).waitFor()
    expect(await page.getByText('Two-step sign-in').first().isVisible()).toBe(false)
    expect(await page.getByRole('button', { name: 'Copy' }).first().isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('10 of 10 recovery codes left').waitFor()

    await context.clearCookies()
    await page.goto('/app/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    // Nothing has to be clicked to type the code.
    await page.keyboard.type('nonsense')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('The code is wrong or was already used').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()

    await page.goto('/app/settings?tab=security')
    await page.getByText('9 of 10 recovery codes left').waitFor()
    await page.getByText('Signing in takes a second factor or a passkey.').waitFor()
    await page.getByText('Signed in with the password and a recovery code').waitFor()
    await page.getByText('A sign-in failed', { exact: true }).waitFor()
    await page.getByText(/^in the hour from /).waitFor()
    await page.getByText('One sign-in failed lately').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await toastOf(page, 'Authenticator app removed')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('an identity is linked, signs in, confirms and is unlinked', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    const email = await createAccount(page)
    provider.accounts.set('ada', { email, email_verified: true })
    const atProvider = async (window = page): Promise<void> => {
      await window.locator('input[name=login]').fill('ada')
      await window.locator('input[name=password]').fill('any')
      await window.getByRole('button', { name: 'Sign-in' }).click()
    }
    await page.goto('/app/sign-in')
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await atProvider()
    await page.getByRole('heading', { name: 'Sign in and link it' }).waitFor()

    await page.goto('/app/settings?tab=security')
    await page.getByRole('button', { name: 'Link Example ID' }).click()
    await toastOf(page, 'Identity linked')
    await page.getByText('never used').waitFor()

    await context.clearCookies()
    // An address of another site is not returned to.
    await page.goto(`/app/sign-in?next=${encodeURIComponent('//evil.example/app')}`)
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await atProvider()
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()
    await context.clearCookies()
    await page.goto(`/app/sign-in?next=${encodeURIComponent('/settings?tab=security')}`)
    await page.evaluate(() => sessionStorage.setItem('waymark.oidc-next', 'https://evil.example'))
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await atProvider()
    await page.getByText('last used').first().waitFor()
    expect(new URL(page.url()).origin).toBe(waymark.url)

    // Over unsaved work the provider signs in from a window of its own, which closes itself.
    await page.goto('/app/pages/new')
    await page.getByLabel('Title', { exact: true }).fill('Unsaved')
    await page.getByLabel('Label of button 1').fill('Go')
    await page.getByLabel('URL of button 1').fill('https://example.com/unsaved')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const again = page.getByRole('dialog', { name: 'Sign in to continue' })
    const popup = context.waitForEvent('page')
    await again.getByRole('button', { name: 'Sign in with Example ID' }).click()
    const signing = await popup
    const signed = signing.waitForEvent('close')
    await atProvider(signing)
    await signed
    await page.getByRole('dialog', { name: 'Page published' }).waitFor()
    await page.goto('/app/settings?tab=security')

    let rejections = 1
    await page.route('**/v1/remove-identity', (route) =>
      rejections-- > 0
        ? route.fulfill({ status: 403, json: { error: 'Confirm that it is you', reauthenticate: true } })
        : route.continue(),
    )
    await page.getByRole('button', { name: `Unlink ${email}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click()
    const openWindow = async () => {
      const opened = context.waitForEvent('page')
      await page.getByRole('button', { name: 'Sign in with Example ID again' }).click()
      return opened
    }
    // Closed, then cancelled: the button works again, and the reason is given here.
    await (await openWindow()).close()
    const cancelled = await openWindow()
    const closed = cancelled.waitForEvent('close')
    await cancelled.getByRole('link', { name: 'Cancel' }).click()
    await page.getByText('The sign-in provider did not sign you in').waitFor()
    await closed
    const proving = await openWindow()
    const proved = proving.waitForEvent('close')
    await atProvider(proving)
    await proved
    await toastOf(page, 'Identity unlinked')
    await context.close()
  })

  test('a user without a password changes the email address, and learns that a sign-in was cancelled', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    provider.accounts.set('grace', { email: 'grace@staff.example', email_verified: true })
    await page.goto('/app/sign-in')
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByText('The sign-in provider did not sign you in').waitFor()
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await page.locator('input[name=login]').fill('grace')
    await page.locator('input[name=password]').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()
    await page.goto('/app/settings?tab=security')
    await page.getByText('Your account has no password').waitFor()
    expect(await page.getByText('never used').count()).toBe(0)
    await page.goto('/app/settings?tab=profile')
    await page.getByLabel('New email address').fill('hopper@staff.example')
    await page.getByRole('button', { name: 'Change email' }).click()
    await page.getByText('You sign in as hopper@staff.example').waitFor()
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

    // The browser downloads by itself: no response of the server could open the dialog.
    await page.route('**/v1/reauthentication-methods', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: object }
      await route.fulfill({ response, json: { data: { ...data, required: true } } })
    })
    await page.goto('/app/settings?tab=workspace')
    await page.getByRole('button', { name: 'Download the data' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.tar\.gz$/)
    await context.close()
  })

  test('a member whose workspace requires a second factor is led to Security', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    await createAccount(page)
    const error = 'This workspace needs a second factor; set one up under Settings, Security'
    await page.route('**/v1/links?**', (route) =>
      route.fulfill({ status: 403, json: { error, second_factor_required: true } }),
    )
    await page.goto('/app/links')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
    expect(new URL(page.url()).search).toBe('?tab=security')
    await context.close()
  })

  test('passkeys are added, sign in alone and as second factor, confirm who is there, and are removed', async () => {
    const { page, context, faults } = await newVisitor(browser, waymark)
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const email = await createAccount(page)
    await page.goto('/app/settings?tab=security')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Phone')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('10 of 10 recovery codes left').waitFor()
    await page.getByText('never used').waitFor()
    // The same device again.
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('This device already has a passkey for your account').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await context.clearCookies()
    await page.goto('/app/sign-in')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()

    await context.clearCookies()
    await page.goto('/app/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()

    // Alone it needs the person, whom the device no longer verifies.
    await context.clearCookies()
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.goto('/app/sign-in')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The passkey was not used').waitFor()
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()

    let rejections = 1
    await page.route('**/v1/remove-passkey', (route) =>
      rejections-- > 0
        ? route.fulfill({ status: 403, json: { error: 'Confirm that it is you', reauthenticate: true } })
        : route.continue(),
    )
    // Cards appear together, so that none moves a button that is about to be clicked.
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>()
    await page.route('**/v1/security-events', (route) => held.then(() => route.continue()))
    const factors = page.waitForResponse('**/v1/second-factors')
    await page.goto('/app/settings?tab=security')
    await (await factors).finished()
    await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(done))))
    expect(await page.getByRole('button', { name: 'Remove Phone' }).count()).toBe(0)
    release(undefined)
    // Like options that have expired while the dialog was open.
    let expired = 1
    await page.route('**/v1/reauthentication-methods', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: { passkey_options: object } }
      const passkey_options = { ...data.passkey_options, ...(expired-- > 0 && { challenge: 'expired' }) }
      await route.fulfill({ response, json: { data: { ...data, passkey_options } } })
    })
    await page.getByRole('button', { name: 'Remove Phone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await toastOf(page, 'Passkey removed')
    await page.getByText('Your fingerprint, face').waitFor()
    expect(faults.filter((fault) => !fault.includes('403'))).toEqual([])
    await context.close()
  })
})
