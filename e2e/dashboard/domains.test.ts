import type { Browser } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { until, upload } from '../support/pages.ts'
import { png } from '../support/pictures.ts'
import { multipart, post } from '../support/requests.ts'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, newVisitor, toastOf } from './browser.ts'
import { openBrowser } from './dashboard.ts'

describe('domains', () => {
  let waymark: Waymark
  let browser: Browser

  openBrowser((opened) => {
    ;({ waymark, browser } = opened)
  })

  test('show every DNS record that is needed, and a check says which of them are missing', async () => {
    const { page, faults } = await newVisitor(browser, waymark)
    await createAccount(page)
    await page.goto('/app/settings?tab=domains')
    await page.getByLabel('Domain', { exact: true }).fill('go.example.test')
    await page.getByRole('button', { name: 'Add domain' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'go.example.test' }).first()
    await row.getByText('proves that the domain is yours').waitFor()
    await row.getByText('brings visitors here').waitFor()
    await row.getByRole('button', { name: 'Check', exact: true }).click()
    const result = row.getByRole('status', { name: 'Result of the check' })
    await result.getByText('TXT record not found').waitFor()
    await result
      .getByText(/^(?:CNAME|A|AAAA) record/)
      .first()
      .waitFor()
    await result.getByText(/^HTTPS does not respond/).waitFor()
    expect(faults).toEqual([])
  })

  test('have settings for visitors without a link, with the errors of the server beside the fields', async () => {
    const { page, faults } = await newVisitor(browser, waymark)
    const email = await createAccount(page)
    expect((await waymark.cli('domain', 'add', 'links.example.test', '--email', email)).code).toBe(0)
    await page.goto('/app/settings?tab=domains')
    const row = page.getByRole('listitem').filter({ hasText: 'links.example.test' })
    await row.getByRole('button', { name: 'Settings' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Unknown links').fill('not a URL')
    await dialog.getByLabel('Name on visitor pages').fill('Birch & Co')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => dialog.getByLabel('Unknown links').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Unknown links').fill('https://example.com/help')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await toastOf(page, /./)
    await row.getByRole('button', { name: 'Settings' }).click()
    expect(await dialog.getByLabel('Unknown links').inputValue()).toBe('https://example.com/help')
    expect(await dialog.getByLabel('Name on visitor pages').inputValue()).toBe('Birch & Co')
    expect(faults).toEqual([])
  })

  test('show their logo, name and colour on every page that visitors without a destination see', async () => {
    const account = await waymark.account()
    const name = 'birch.example.test'
    expect((await waymark.cli('domain', 'add', name, '--email', account.email)).code).toBe(0)
    await until(
      () => fetch(`${waymark.url}/.well-known/waymark/ask?domain=${name}`),
      ({ status }) => status === 200,
    )
    const { page, faults, hosts } = await newVisitor(browser, { url: `http://${name}:${waymark.port}` })
    const settings = [
      { name: 'name', value: name },
      { name: 'brand_name', value: 'Birch & Co' },
      { name: 'brand_color', value: '#0a58ff' },
      upload('logo', png(40, 90, 70)),
    ]
    expect((await post(waymark, account, '/v1/edit-domain', multipart(settings))).status).toBe(200)
    const linkWith = async (fields: object): Promise<{ uuid: string; code: string }> => {
      const link = { link: 'https://example.com/', domain: name, ...fields }
      return (await post(waymark, account, '/v1/generate-link', link)).body.data
    }
    const ended = await linkWith({})
    await post(waymark, account, '/v1/remove-links', { uuid: ended.uuid })
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const pages = {
      'This link does not exist': '/none',
      'This link has ended': `/${ended.code}`,
      'This link is not active yet': `/${(await linkWith({ starts_at: later })).code}`,
      'This link needs a password': `/${(await linkWith({ password: 'Open sesame' })).code}`,
      'Link preview': `/${(await linkWith({})).code}+`,
    }
    for (const [heading, path] of Object.entries(pages)) {
      await page.goto(path)
      expect([path, await page.getByRole('heading').innerText()]).toEqual([path, heading])
      const logo = page.getByRole('img', { name: 'Birch & Co' })
      await expect
        .poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0)
      expect(await page.locator('header').innerText()).toBe('Birch & Co')
      expect(await page.locator('body').innerText()).not.toContain('Waymark')
      // The plate of the signpost, and the button where there is one.
      const colours = await page.locator('.plate, button:not(.quiet), .go').evaluateAll((elements) =>
        elements.map((element) => {
          const { fill, backgroundColor } = getComputedStyle(element)
          return element.matches('.plate') ? fill : backgroundColor
        }),
      )
      expect([path, new Set(colours)]).toEqual([path, new Set(['rgb(10, 88, 255)'])])
    }
    expect(faults).toEqual([])
    expect([...hosts]).toEqual([`${name}:${waymark.port}`])
  })
})
