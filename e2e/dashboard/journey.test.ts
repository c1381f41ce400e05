/// <reference lib="dom" />
import { readFile } from 'node:fs/promises'
import { createClient } from '@waymark/sdk'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { decode } from '../support/decode.ts'
import type { Waymark } from '../support/waymark.ts'
import { type Destination, openDestination } from './destination.ts'
import { clipboard, newVisitor, signUp, soon, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'

/** One user from sign-up to account removal. The tests run in order; each depends on the one before. */
describe('a new user', () => {
  let destination: Destination
  let waymark: Waymark
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let email = ''
  let shortUrl = ''

  beforeAll(async () => {
    destination = await openDestination()
    return () => destination.close()
  })
  openDashboard((opened) => {
    ;({ waymark, browser, visitor, page } = opened)
  })

  test('is redirected to sign in, and signs up', async () => {
    await page.goto('/')
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await page.getByRole('link', { name: 'Create an account' }).click()
    email = await signUp(page)
  })

  test('pastes an address, presses Enter, and has the short link copied', async () => {
    await page.getByLabel('URL to shorten').fill('example.com/a/long/address?with=query')
    await page.keyboard.press('Enter')
    await page.getByText('Copied. Destination:').waitFor()
    shortUrl = await clipboard(page)
    expect(shortUrl).toMatch(new RegExp(`^${waymark.url}/[A-Za-z0-9]{7}$`))
    const answer = await fetch(shortUrl, { redirect: 'manual' })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('https://example.com/a/long/address?with=query')
  })

  test('makes a link with a name, a note and a tag in the side panel', async () => {
    await page.getByRole('link', { name: 'Links' }).first().click()
    await page.getByRole('button', { name: 'New link' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Destination', { exact: true }).fill(destination.url)
    await panel.getByLabel('Short code').fill('spring')
    await panel.getByLabel(/^Title/).fill('Spring catalogue')
    await panel.getByLabel('Tags').fill('shop')
    await panel.getByRole('button', { name: 'Create link' }).click()
    await toastOf(page, 'copied')
    await page.getByRole('row').filter({ hasText: '/spring' }).getByText('Spring catalogue').waitFor()
    expect(await clipboard(page)).toBe(`${waymark.url}/spring`)
  })

  test('visits the short link and sees the click arrive without a reload', async () => {
    await page.getByRole('row').filter({ hasText: '/spring' }).getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: /spring/ }).waitFor()
    const clicks = page.locator('dl dd').first()
    await soon(() => clicks.textContent()).toBe('0')
    const guest = await newVisitor(browser, waymark)
    await guest.page.goto('/spring')
    await guest.page.getByText('You have arrived').waitFor()
    await guest.context.close()
    await soon(() => clicks.textContent()).toBe('1')
    await page.getByText('Direct', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Statistics (CSV)' }).click(),
    ])
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv).toMatch(/^dimension,value,clicks,visitors,bots\r\n/)
    expect(csv).toMatch(/\r\ndevice,desktop,1,,\r\n/i)
  })

  test('draws a QR code that reads as what was typed, before and after it is saved', async () => {
    await page.getByRole('link', { name: 'Codes' }).first().click()
    await page.getByRole('link', { name: 'New QR code' }).first().click()
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/menu?table=7')
    await page.getByRole('switch', { name: 'Dynamic' }).uncheck()
    await page.getByText('Dots', { exact: true }).click()
    await page.getByLabel('Colour', { exact: true }).fill('#0b5d4a')
    await page.getByText('Scans reliably').waitFor()
    await page.getByRole('button', { name: 'Download PNG' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: '600 × 600 px' }).click(),
    ])
    expect(await decode(await readFile(await download.path()))).toBe('https://example.com/menu?table=7')
    await page.getByRole('button', { name: 'Create QR code' }).click()
    await toastOf(page, 'QR code created')
    await page.waitForURL(/\/codes\/qr\/[0-9a-f-]{36}$/)
    for (const kind of ['SVG', 'PDF']) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: kind, exact: true }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${kind.toLowerCase()}$`))
    }
  })

  test('is warned in place of colours too faint to scan', async () => {
    await page.getByLabel('Colour', { exact: true }).fill('#ffee99')
    await page.getByText(/has a contrast of .* scanners need 4:1 or more/).waitFor()
    await page.getByLabel('Colour', { exact: true }).fill('#0b5d4a')
    await page.getByText('Scans reliably').waitFor()
  })

  test('makes a barcode', async () => {
    await page.getByRole('link', { name: 'Codes' }).first().click()
    await page.getByRole('link', { name: 'New barcode' }).first().click()
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/p/1')
    await page.getByLabel('Caption').fill('Article 1')
    await page.getByRole('img', { name: /^Barcode for/ }).waitFor()
    await page.getByRole('button', { name: 'Create barcode' }).click()
    await toastOf(page, 'Barcode created')
  })

  test('makes campaign links for two channels at once', async () => {
    await page.getByRole('link', { name: 'Campaigns' }).first().click()
    await page.getByLabel('Destination', { exact: true }).fill('https://example.com/landing?x=1')
    await page.getByLabel('Campaign', { exact: true }).fill('spring')
    await page.getByLabel('Content').fill('header')
    await page.getByLabel('Source').fill('newsletter')
    await page.getByLabel('Medium').fill('email')
    const grown = page.getByLabel('Finished URL', { exact: true })
    await soon(() => grown.textContent()).toBe(
      'https://example.com/landing?x=1&utm_source=newsletter&utm_medium=email&utm_campaign=spring&utm_content=header',
    )
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByLabel('Source').nth(1).fill('instagram')
    await page.getByLabel('Medium').nth(1).fill('social')
    await page.getByRole('button', { name: 'Create 2 links' }).click()
    await toastOf(page, '2 UTM links created')
    await page.getByText('instagram / social / header').waitFor()
    await page.getByText('newsletter / email / header').waitFor()
  })

  test('builds a page, sees it grow in the phone, and publishes it', async () => {
    await page.getByRole('link', { name: 'Pages' }).first().click()
    await page.getByRole('link', { name: 'New page' }).first().click()
    await page.getByLabel('Title', { exact: true }).fill('River Festival')
    expect(await page.getByLabel('Page URL').inputValue()).toBe('river-festival')
    await page.getByLabel('Label of button 1').fill('Programme')
    await page.getByLabel('URL of button 1').fill('https://example.com/programme')
    await page.getByRole('button', { name: 'Add button' }).click()
    await page.getByLabel('Label of button 2').fill('Tickets')
    await page.getByLabel('URL of button 2').fill('https://example.com/tickets')
    await page.getByRole('button', { name: 'Move item 2' }).press('ArrowUp')
    await page.getByRole('group', { name: 'Part of the page' }).getByText('Design').click()
    await page.getByRole('button', { name: 'Trail sign' }).click()
    const phone = page.frameLocator('iframe[title="Preview of the page"]')
    await phone.getByRole('heading', { name: 'River Festival' }).waitFor()
    expect(await phone.getByRole('link').allTextContents()).toEqual(['Tickets', 'Programme'])
    const ground = await phone
      .locator('html')
      .evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    expect(ground).toBe('rgb(11, 70, 56)')

    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const published = page.getByRole('dialog', { name: 'Page published' })
    await published.getByRole('button', { name: 'Copy short link' }).click()
    const short = await fetch(await clipboard(page), { redirect: 'manual' })
    expect(short.headers.get('location')).toBe(`${waymark.url}/p/river-festival`)
    const picture = await published.getByRole('img').getAttribute('src')
    expect((await fetch(picture ?? '')).headers.get('content-type')).toContain('image/svg+xml')
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      published.getByRole('link', { name: 'View page' }).click(),
    ])
    await popup.getByRole('heading', { name: 'River Festival' }).waitFor()
    await popup.close()
    await published.getByRole('button', { name: 'Continue editing' }).click()
    await page.waitForURL(/\/pages\/[0-9a-f-]{36}$/)
  })

  test('makes a key and calls the API with it, signed, by the SDK', async () => {
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByLabel('Name').fill('Tests')
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog', { name: 'New API key' })
    await dialog.locator('code').first().waitFor()
    const [apiKey = '', secret = ''] = await dialog.locator('code').allTextContents()
    expect(apiKey).toMatch(/^wm_/)
    expect(secret).toMatch(/^wms_/)
    const client = createClient({ baseUrl: waymark.url, apiKey, secret })
    const plan = await client.currentPlan()
    expect(plan.data.usage['pages']).toBe(1)
    await client.editLinks({
      uuid: (await client.links({ search: 'spring' })).data.find(({ code }) => code === 'spring')?.uuid ?? '',
      link: 'https://example.com/summer',
    })
    expect((await fetch(`${waymark.url}/spring`, { redirect: 'manual' })).headers.get('location')).toBe(
      'https://example.com/summer',
    )
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    await page.reload()
    await page.getByText(/last used/).waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No API keys yet').waitFor()
    await expect(client.links()).rejects.toMatchObject({ status: 401, message: 'Invalid API key' })
  })

  test('fills in the profile, with a picture', async () => {
    await page.getByRole('link', { name: 'Profile', exact: true }).click()
    await page.getByLabel('Last name').fill('Lovelace')
    const png = await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 64
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    })
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
    await page.getByRole('button', { name: 'Save profile' }).click()
    const account = page.getByRole('button', { name: 'Account Ada Lovelace' })
    await account.waitFor()
    await soon(() => account.locator('img').getAttribute('src')).toMatch(/\/m\/[0-9a-f]{64}\.webp$/)
  })

  test('has caused no script error or policy violation, and no request to another host', () => {
    expect(visitor.faults).toEqual([])
    expect([...visitor.hosts]).toEqual([new URL(waymark.url).host])
  })

  test('removes the account, and everything stops', async () => {
    await page.getByRole('link', { name: 'Feedback and account' }).click()
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete account' })
    const confirm = dialog.getByRole('button', { name: 'Delete account and all data' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${email} to confirm`).fill(email)
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith('/v1/remove-account')),
      confirm.click(),
    ])
    expect(request.postDataJSON()).toEqual({ reason: 'No reason given' })
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    expect((await fetch(shortUrl, { redirect: 'manual' })).status).toBe(410)
    expect((await fetch(`${waymark.url}/p/river-festival`)).status).toBe(410)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('Correct-horse-7')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
  })
})
