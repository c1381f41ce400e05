/// <reference lib="dom" />
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, newVisitor, PASSWORD, signUp } from './browser.ts'
import { openBrowser, openDashboard } from './dashboard.ts'

describe('sessions', () => {
  let waymark: Waymark
  let browser: Browser
  let elsewhere: Server
  let elsewhereUrl = ''

  openBrowser((opened) => {
    ;({ waymark, browser } = opened)
  })
  beforeAll(async () => {
    // Another site, with a form that posts to us and a script that does.
    elsewhere = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Elsewhere</title>
        <form method="post" action="${waymark.url}/v1/generate-link"><input name="link" value="https://evil.example/"><button>Win</button></form>
        <form method="post" action="${waymark.url}/v1/remove-account" enctype="multipart/form-data"><input name="reason" value="bye"><button>Lose</button></form>`)
    })
    elsewhere.listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const address = elsewhere.address()
    if (address === null || typeof address === 'string') throw new Error('No port was given')
    elsewhereUrl = `http://127.0.0.1:${address.port}/`
  })
  afterAll(() => void elsewhere.close())

  test('a signed-out user signs in and continues to the requested screen', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    const email = await signUp(page)
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await page.goto('/app/links?tag=shop')
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/app\/links\?tag=shop$/)
    await context.close()
  })

  test('a wrong password and an unknown address are answered alike', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    const email = await createAccount(page)
    await context.clearCookies()
    const answers: (string | null)[] = []
    for (const who of [email, 'nobody@example.com']) {
      await page.goto('/app/sign-in')
      await page.getByLabel('Email').fill(who)
      await page.getByLabel('Password', { exact: true }).fill('Wrong-horse-1')
      await page.getByRole('button', { name: 'Sign in' }).click()
      answers.push(await page.getByRole('alert').textContent())
    }
    expect(answers[0]).toBe(answers[1])
    expect(answers[0]).not.toBe('')
    await context.close()
  })

  test('the cookie is out of the reach of script and of other sites', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    await createAccount(page)
    await page.goto('/app/')
    const cookies = await context.cookies()
    expect(cookies.map(({ name }) => name).sort()).toEqual(['waymark', 'waymark-browser'])
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ httpOnly: true })
      expect(['Lax', 'Strict']).toContain(cookie.sameSite)
    }
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await context.close()
  })

  test('a form or script of another site changes nothing', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    await createAccount(page)
    for (const button of ['Win', 'Lose']) {
      await page.goto(elsewhereUrl)
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().startsWith(waymark.url)),
        page.getByRole('button', { name: button }).click(),
      ])
      expect([401, 403]).toContain(answer.status())
    }
    await page.goto(elsewhereUrl)
    const outcome = await page.evaluate(async (url) => {
      const send = (mode: RequestMode): Promise<string> =>
        fetch(`${url}/v1/generate-link`, {
          method: 'POST',
          mode,
          credentials: 'include',
          headers: { 'content-type': 'text/plain' },
          body: '{"link":"https://evil.example/"}',
        }).then(
          (response) => response.type,
          () => 'refused',
        )
      return [await send('no-cors'), await send('cors')]
    }, waymark.url)
    expect(outcome).toEqual(['opaque', 'refused'])
    // The account still exists and has no link.
    await page.goto('/app/links')
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()
    await context.close()
  })

  test('the dashboard cannot be framed by another site', async () => {
    const answer = await fetch(`${waymark.url}/app/`)
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
  })

  test('a session that is ended elsewhere ends here', async () => {
    const here = await newVisitor(browser, waymark)
    const email = await createAccount(here.page)
    await here.page.goto('/app/')
    const there = await newVisitor(browser, waymark)
    await there.page.request.post('/v1/sign-in', { data: { email, password: PASSWORD } })
    await there.page.goto('/app/settings?tab=security')
    await there.page.getByText('This session').waitFor()
    await there.page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await there.page.getByRole('button', { name: 'Sign out', exact: true }).waitFor({ state: 'detached' })
    await here.page.getByRole('link', { name: 'Links' }).first().click()
    await here.page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await here.page.getByText('Your session has ended.').waitFor()
    await here.page.getByLabel('Email').fill(email)
    await here.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await here.page.getByRole('button', { name: 'Sign in' }).click()
    await here.page.waitForURL(/\/app\/links$/)
    await here.context.close()
    await there.context.close()
  })
})

describe('a sign-out', () => {
  let waymark: Waymark
  let browser: Browser

  openBrowser((opened) => {
    ;({ waymark, browser } = opened)
  })

  test('is noticed by the other tabs, and so is the next sign-in', async () => {
    const { page, context } = await newVisitor(browser, waymark)
    const email = await createAccount(page)
    await page.goto('/app/')
    const other = await context.newPage()
    await other.goto('/app/statistics?range=7d')
    await other.getByRole('heading', { name: 'Statistics' }).waitFor()
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await other.getByText('You signed out in another tab.').waitFor()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await other.waitForURL(/\/app\/statistics\?range=7d$/)
  })
})

describe('a new API key', () => {
  let page: Page

  openDashboard((opened) => {
    ;({ page } = opened)
  })

  test('stays on the screen until its secret is stored', async () => {
    await createAccount(page)
    const create = async (name: string): Promise<void> => {
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Create API key' }).click()
      await page.getByRole('dialog', { name: 'New API key' }).locator('code').first().waitFor()
    }
    await page.goto('/app/settings?tab=keys')
    await create('First')
    const dialog = page.getByRole('dialog', { name: 'New API key' })
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    expect(await dialog.isVisible()).toBe(true)
    // Back on Android closes it no more than Escape.
    expect(await dialog.getAttribute('closedby')).toBe('none')
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await create('Second')
    await dialog.getByRole('button', { name: 'Copy Secret' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })
})

describe('a server without mail', () => {
  let page: Page

  openDashboard((opened) => {
    ;({ page } = opened)
  })

  test('says how a password is reset', async () => {
    await page.goto('/app/forgot-password')
    await page.getByText('This server does not send email.').waitFor()
    expect(await page.getByRole('button', { name: 'Send link' }).count()).toBe(0)
  })
})

describe('a server with sign-up closed', () => {
  let page: Page

  openDashboard(
    (opened) => {
      ;({ page } = opened)
    },
    { env: { SIGNUP: 'closed' } },
  )

  test('says so', async () => {
    await page.goto('/app/sign-up')
    await page.getByRole('heading', { name: 'Sign-up is closed' }).waitFor()
    await page.getByRole('link', { name: 'Go to sign in' }).click()
    await page.getByText('Sign-up is closed.').waitFor()
  })
})
