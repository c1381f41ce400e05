/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { clipboard, createAccount, soon, toastOf } from './browser.ts'
import { openDashboard } from './dashboard.ts'

describe('navigation', () => {
  let waymark: Waymark
  let page: Page

  openDashboard(async (opened) => {
    ;({ waymark, page } = opened)
    await createAccount(page)
    await page.goto('/app/links')
    for (const code of ['one', 'two', 'three', 'four'])
      await page.evaluate(
        async ([link, customLink]) => {
          await fetch('/v1/generate-link', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              link,
              customLink,
              tag: customLink?.startsWith('t') === true ? 'tees' : null,
            }),
          })
        },
        [`https://example.com/${code}`, code],
      )
  })

  const codes = async (): Promise<string[]> => {
    const texts = await page.locator('tbody .plate').allTextContents()
    return texts.map((text) => text.split('/').at(-1) ?? '')
  }

  test('back and forward walk through screens, searches and tags', async () => {
    await page.goto('/app/links')
    await soon(codes).toEqual(['four', 'three', 'two', 'one'])
    await page.getByLabel('Tag', { exact: true }).selectOption('tees')
    await soon(codes).toEqual(['three', 'two'])
    await page.getByLabel('Sort').selectOption('clicks')
    await page.getByRole('link', { name: 'Pages' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
    await page.goBack()
    await page.goBack()
    await soon(codes).toEqual(['three', 'two'])
    expect(await page.getByLabel('Sort').inputValue()).toBe('newest')
    await page.goBack()
    await soon(codes).toEqual(['four', 'three', 'two', 'one'])
    await page.goForward()
    await soon(codes).toEqual(['three', 'two'])
  })

  test('the palette finds a short code first, titles, settings, import and shortcuts', async () => {
    await page.goto('/app/links')
    await page.evaluate(async () => {
      for (const [link, customLink, title, tag] of [
        ['https://example.com/x', 'one-more', 'Everything about one'],
        ['https://example.com/y', 'zzz', 'one: the sequel'],
        ['https://example.com/a', 'zebra'],
        ['https://example.com/b', 'by-title', 'Zebra crossing'],
        ['https://example.com/c', 'by-tag', undefined, 'zebra'],
        ['https://example.com/zebra', 'by-destination'],
      ])
        await fetch('/v1/generate-link', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ link, customLink, title, tag, archived: true }),
        })
    })
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
    const search = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill(text)
    }
    await search('zebra')
    // The actions of the best one follow it.
    const found = async (): Promise<string[]> => {
      const [first = '', ...others] = await options.allTextContents()
      const ranked = ['by-title', 'by-tag', 'by-destination']
      const rest = others.flatMap((text) => ranked.filter((code) => text.includes(`/${code}`)))
      return [first.includes('/zebra') ? 'zebra' : first, ...rest]
    }
    await soon(found).toEqual(['zebra', 'by-title', 'by-tag', 'by-destination'])
    // Enter that ends a word of an input method chooses nothing.
    await page.getByRole('combobox', { name: 'Search or run a command' }).evaluate((field) => {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true }))
    })
    await soon(found).toEqual(['zebra', 'by-title', 'by-tag', 'by-destination'])
    await page.keyboard.press('Escape')
    for (const [typed, command] of [
      ['export', 'Export links'],
      ['settings', 'Go to Settings'],
    ] as const) {
      await search(typed)
      await options.filter({ hasText: command }).first().waitFor()
      await page.keyboard.press('Escape')
    }
    // The second key comes before the browser's close event of the first palette, which is a later task.
    await search('one')
    await page.evaluate(async () => {
      for (const [key, ctrlKey] of [
        ['Escape', false],
        ['k', true],
      ] as const) {
        const event = new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
        await Promise.resolve()
      }
    })
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('one')
    await soon(() => options.first().textContent()).toMatch(/\/one/)
    await options.filter({ hasText: 'Everything about one' }).waitFor()
    await options.filter({ hasText: /^Copy .*\/one$/ }).click()
    await toastOf(page, 'Short link copied')
    expect(await clipboard(page)).toMatch(/\/one$/)
    await search('one')
    await options.filter({ hasText: 'Edit /one' }).first().click()
    await page.getByRole('dialog', { name: 'Edit link' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/app\/links\/one\?domain=localhost$/)
    await search('domains')
    await options.first().click()
    await page.waitForURL(/tab=domains/)
    await search('csv')
    await options.filter({ hasText: 'Import links' }).click()
    await page.getByRole('dialog', { name: 'Import links' }).waitFor()
    await page.keyboard.press('Escape')
    await search('shortcuts')
    await options.first().click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('the palette says whether it still searches, and whether it could', async () => {
    await page.goto('/app/links')
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or run a command' })
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/v1/links?*', async (route) => {
      await answered
      await route.continue()
    })
    await palette.getByRole('combobox').fill('nothing-like-this')
    await palette.getByText('Searching…').waitFor()
    expect(await palette.getByText('No results').count()).toBe(0)
    answer()
    await palette.getByText('No results').waitFor()
    await page.unroute('**/v1/links?*')
    await page.route('**/v1/pages?*', (route) => route.abort())
    await palette.getByRole('combobox').fill('nothing-like-that')
    await palette.getByText('The search failed').waitFor()
    await page.unroute('**/v1/pages?*')
    await page.keyboard.press('Escape')
  })

  test('a missing link is no missing page, and tabs of the settings have titles', async () => {
    await page.goto('/app/links/nothing-here')
    await page.getByRole('heading', { name: 'Link not found' }).waitFor()
    await page.goto('/app/settings?tab=keys')
    await soon(() => page.title()).toBe('API keys, settings · Waymark')
  })

  test('a search is kept in the URL and survives a reload', async () => {
    await page.goto('/app/links')
    await page.getByLabel('Search links').fill('example.com/t')
    await page.waitForURL(/search=/)
    await page.reload()
    await soon(codes).toEqual(['three', 'two'])
  })

  test('rows are selected and removed with the keyboard, and undo restores them', async () => {
    await page.goto('/app/links')
    await soon(codes).toHaveLength(4)
    await page.locator('tbody tr').first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await page.getByText('2 links selected').waitFor()
    await page.keyboard.press('Delete')
    await soon(codes).toEqual(['two', 'one'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(codes).toEqual(['four', 'three', 'two', 'one'])
    expect((await fetch(`${waymark.url}/four`, { redirect: 'manual' })).status).toBe(302)
  })

  test('without undo they are in the trash, and their short links have ended', async () => {
    await page.goto('/app/links')
    await page.getByLabel('Select localhost', { exact: false }).first().click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await toastOf(page, '1 link removed')
    await soon(async () => (await fetch(`${waymark.url}/four`, { redirect: 'manual' })).status).toBe(410)
    await soon(codes).toEqual(['three', 'two', 'one'])
    await page.goto('/app/trash')
    await page
      .getByRole('listitem')
      .filter({ hasText: /\/four/ })
      .getByRole('button', { name: /^Restore/ })
      .waitFor()
  })

  const openPalette = async (): Promise<void> => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
  }

  test('the palette goes anywhere, finds anything and shortens an address', async () => {
    await page.goto('/app/')
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()
    await openPalette()
    await page.keyboard.type('three')
    await page.getByRole('option', { name: /^\S*\/three/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /three/ }).waitFor()
    await openPalette()
    await page.keyboard.type('example.com/from-the-palette')
    await page.keyboard.press('Enter')
    await toastOf(page, /^Copied/)
    const answer = await fetch(await clipboard(page), { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('https://example.com/from-the-palette')
  })

  test('the QR code of a link is one click away', async () => {
    await page.goto('/app/links')
    await page.getByRole('row').filter({ hasText: '/three' }).getByRole('button', { name: 'QR code' }).click()
    await page.getByRole('img', { name: `QR code for ${waymark.url}/three` }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a dialog that a menu opened gives the focus back to the button of the menu', async () => {
    await page.goto('/app/links')
    const button = page.getByRole('button', { name: /^More for/ }).first()
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Edit link' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Edit link' }).waitFor({ state: 'hidden' })
    await soon(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test('a screen is printed dark on white, without the bars that would cover each sheet', async () => {
    await page.setViewportSize({ width: 794, height: 1123 })
    await page.goto('/app/statistics')
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation', { name: 'Main' }).filter({ visible: true }).count()).toBe(0)
    const ink = await page.locator('h1').evaluate((one) => getComputedStyle(one).color)
    expect(ink).toBe('rgb(22, 32, 27)')
    await page.emulateMedia({ media: null })
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('a chosen theme is there before the first paint, and stays', async () => {
    await page.goto('/app/')
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await page.reload()
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  })

  test('leaving a page with unsaved changes asks first', async () => {
    await page.goto('/app/pages/new')
    await page.getByLabel('Title', { exact: true }).fill('Half a page')
    const answers = [false, true]
    page.on('dialog', (dialog) => void (answers.shift() === true ? dialog.accept() : dialog.dismiss()))
    await page.getByRole('link', { name: 'Links' }).first().click()
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Half a page')
    await page.getByRole('link', { name: 'Links' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()
    expect(answers).toEqual([])
  })

  test('an unknown path shows the 404 screen with the navigation', async () => {
    await page.goto('/app/nowhere')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Codes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Codes' }).waitFor()
  })
})
