import type { Browser } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount, newVisitor } from './dashboard/browser.ts'
import { openBrowser } from './dashboard/dashboard.ts'
import { furnish } from './dashboard/furnish.ts'
import type { Waymark } from './support/waymark.ts'

describe('what visitors are told', () => {
  let waymark: Waymark
  let browser: Browser

  openBrowser(async (opened) => {
    ;({ waymark, browser } = opened)
    const { page, context } = await newVisitor(browser, waymark)
    await createAccount(page)
    await page.goto('/app/')
    await furnish(page)
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

  test('programs get English', async () => {
    const headers = { accept: 'application/json', 'accept-language': 'de' }
    const response = await fetch(`${waymark.url}/nothing-here`, { headers })
    expect(await response.json()).toEqual({ error: 'Link not found' })
  })
})
