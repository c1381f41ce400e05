import type { Browser } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount, newVisitor } from './dashboard/browser.ts'
import { openBrowser } from './dashboard/dashboard.ts'
import { furnish } from './dashboard/furnish.ts'
import type { Waymark } from './support/waymark.ts'

const CONTACT_PAGE = {
  title: 'Ada',
  slug: 'ada',
  domain: 'localhost',
  logoStatus: 1,
  logoPosition: 'top-center',
  theme: { bggradient: ['#ffffff', '#ffffff'] },
  buttons: [{ id: 1, status: 1, type: 'contact', contact: { first_name: 'Ada' } }],
}

describe('what visitors are told', () => {
  let waymark: Waymark
  let browser: Browser
  let inviteUrl: string

  openBrowser(async (opened) => {
    ;({ waymark, browser } = opened)
    const { page, context } = await newVisitor(browser, waymark)
    await createAccount(page)
    await page.goto('/app/')
    await furnish(page)
    inviteUrl = await page.evaluate(async (contact) => {
      const post = async (path: string, body: object): Promise<{ data: { invite_url: string } }> =>
        (
          await fetch(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        ).json()
      await post('/v1/generate-page', contact)
      return (await post('/v1/invite-member', { email: 'new@example.com', role: 'editor' })).data.invite_url
    }, CONTACT_PAGE)
    await context.close()
  })

  test.each([
    ['de-AT', '/nothing-here', 'Diesen Link gibt es nicht'],
    ['fr-FR', '/locked', 'Ce lien demande un mot de passe'],
    ['es-ES', '/later', 'Este enlace aún no está activo'],
    ['ja-JP', '/spring+', 'リンクのプレビュー'],
    ['zh-CN', '/nothing-here', '此链接不存在'],
    ['ko-KR', '/nothing-here', 'This link does not exist'],
  ])('%s: %s', async (locale, path, title) => {
    const context = await browser.newContext({ baseURL: waymark.url, locale })
    const page = await context.newPage()
    await page.goto(path)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title)
    const language = locale.slice(0, 2) === 'ko' ? 'en' : locale.slice(0, 2)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await context.close()
  })

  test('a page and its cache are in the language of the visitor', async () => {
    const context = await browser.newContext({ baseURL: waymark.url, locale: 'pt-BR' })
    const page = await context.newPage()
    const response = await page.goto('/p/ada')
    expect(await response?.headerValue('vary')).toContain('Accept-Language')
    await page.getByRole('link', { name: 'Guardar contacto' }).waitFor()
    await page.getByRole('navigation', { name: 'Ligações' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('pt')
    await context.close()
    const etag = (await response?.headerValue('etag')) ?? ''
    const headers = { 'if-none-match': etag, 'accept-encoding': 'gzip', 'accept-language': 'de' }
    const german = await fetch(`${waymark.url}/p/ada`, { headers })
    expect([german.status, await german.text()]).toEqual([200, expect.stringContaining('Kontakt speichern')])
  })

  test('a reset and an invitation are in the language of the browser, which loads no other', async () => {
    const context = await browser.newContext({ baseURL: waymark.url, locale: 'it-IT' })
    const page = await context.newPage()
    const scripts: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.text())
    })
    await page.goto('/app/reset-password?token=none')
    await page.getByRole('heading', { name: 'Scegli una nuova password' }).waitFor()
    await page.getByText('almeno 8 caratteri').waitFor()
    await page.goto(inviteUrl)
    await page.getByRole('heading', { name: /^Unisciti a / }).waitFor()
    await page.getByRole('button', { name: 'Crea account e unisciti' }).waitFor()
    expect(await page.locator('[lang="it"]').count()).toBe(1)
    const loaded = (await Promise.all(scripts)).join('\n')
    expect(loaded).toContain('Requisiti della password')
    expect(loaded).not.toContain('Anforderungen an das Passwort')
    await context.close()
  })

  test('programs get English', async () => {
    const headers = { accept: 'application/json', 'accept-language': 'de' }
    const response = await fetch(`${waymark.url}/nothing-here`, { headers })
    expect(await response.json()).toEqual({ error: 'Link not found' })
  })
})
