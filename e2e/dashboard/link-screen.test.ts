/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount, soon, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'

/** The tests run in order; each depends on the one before. */
describe('the screen of a link', () => {
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ visitor, page } = opened)
    await createAccount(page)
    await page.goto('/app/links')
    await page.evaluate(() =>
      fetch('/v1/generate-link', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ link: 'https://example.com/first', customLink: 'routed' }),
      }),
    )
    await page.goto('/app/links/routed?domain=localhost')
  })

  const view = (name: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Link' }).getByRole('link', { name }).click()
  const saved = (): Promise<Record<string, unknown>> =>
    page.evaluate(async () => {
      const { data } = (await (await fetch('/v1/links?limit=1')).json()) as {
        data: Record<string, unknown>[]
      }
      return data[0] ?? {}
    })

  test('builds rules from controls and puts them into order with the keyboard', async () => {
    await view('Rules')
    await page.getByRole('button', { name: 'Add rule' }).click()
    const country = page.getByRole('combobox', { name: 'Country' }).first()
    await country.fill('Germ')
    await page.getByRole('option', { name: 'Germany', exact: true }).first().click()
    await page.getByLabel('Add condition to rule 1').selectOption('Device')
    await page.getByLabel('mobile').check()
    await page.getByRole('button', { name: 'Save rules' }).click()
    await page.getByText('This field is required').or(page.getByText('Must be a valid')).first().waitFor()
    await page.getByLabel('Destination of rule 1').fill('example.com/de')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('button', { name: 'Remove condition country' }).nth(1).click()
    await page.getByLabel('Add condition to rule 2').selectOption('Language')
    await page.getByRole('combobox', { name: 'Language' }).first().fill('french')
    await page.getByLabel('Destination of rule 2').fill('https://example.com/fr')
    await page.getByRole('button', { name: 'Move item 2 (use the arrow keys)' }).press('ArrowUp')
    await page.getByRole('button', { name: 'Save rules' }).click()
    await toastOf(page, 'Rules saved')
    expect((await saved())['rules']).toEqual([
      { if: { language: ['fr'] }, to: 'https://example.com/fr' },
      { if: { country: ['DE'], device: ['mobile'] }, to: 'https://example.com/de' },
    ])
  })

  test('shows the rules of the link, also when another one was on the screen before', async () => {
    await page.evaluate(() =>
      fetch('/v1/generate-link', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ link: 'https://example.com/second', customLink: 'plain', tag: 'second' }),
      }),
    )
    const sentences = page.getByRole('heading', { level: 3 }).filter({ hasText: '→' })
    await page.goto('/app/links/plain?domain=localhost&view=rules')
    await page.getByText('No rules yet').waitFor()
    // Through the address alone, as Back does: nothing is loaded again.
    const open = (code: string): Promise<void> =>
      page.evaluate((code) => {
        history.pushState({}, '', `/app/links/${code}?domain=localhost&view=rules`)
        dispatchEvent(new PopStateEvent('popstate'))
      }, code)
    await open('routed')
    await soon(() => sentences.count()).toBe(2)
    await page.goBack()
    await page.getByText('No rules yet').waitFor()
    await page.goForward()
    await soon(() => sentences.count()).toBe(2)
    await page.evaluate(async () => {
      const { data } = (await (await fetch('/v1/links?code=plain')).json()) as { data: { uuid: string }[] }
      await fetch('/v1/remove-links', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ uuid: data[0]?.uuid }),
      })
    })
  })

  test('tries the link as an iPhone in Germany, and says why', async () => {
    await page.getByRole('heading', { name: /^If language is French/ }).waitFor()
    const match = page.getByRole('listitem').filter({ hasText: 'Matches' })
    const everyone = page.getByRole('paragraph').filter({ hasText: 'Everyone else' })
    await everyone.getByText('example.com/first').waitFor()
    await everyone.getByText('Matches').waitFor()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('https://example.com/first', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Device' }).selectOption('iPhone')
    await page.getByRole('combobox', { name: 'Country' }).last().selectOption('Germany')
    await page.getByLabel('Time', { exact: true }).selectOption('Tomorrow')
    await result.getByText('https://example.com/de', { exact: true }).waitFor()
    await result.getByText('Rule 2 matched: Country is Germany and device is mobile.').waitFor()
    await match.getByRole('heading', { name: /^If country is Germany and device is mobile/ }).waitFor()
    await page.getByRole('combobox', { name: 'Language' }).last().fill('French')
    await match.getByRole('heading', { name: /^If language is French/ }).waitFor()
    await result.getByText('https://example.com/fr', { exact: true }).waitFor()
    await result.getByText(/^Rule 2 was not tried/).waitFor()
  })

  test('shares visitors by percentages, and declares a winner in one click', async () => {
    await view('Variants')
    await page.getByRole('button', { name: 'Start a test' }).click()
    await page.getByLabel('Destination of variant 2').fill('https://example.com/second')
    await page.getByLabel('Share of variant 1 in percent').fill('70')
    await page.getByText('The shares add up to 120 %.').waitFor()
    await page.getByRole('button', { name: 'Save variants' }).click()
    await page.getByText('The shares must add up to 100 %').waitFor()
    await page.getByLabel('Share of variant 2 in percent').fill('30')
    await page.getByRole('button', { name: 'Save variants' }).click()
    await toastOf(page, 'Variants saved')
    expect((await saved())['variants']).toEqual([
      { url: 'https://example.com/first', weight: 700, name: 'A' },
      { url: 'https://example.com/second', weight: 300, name: 'B' },
    ])
    await page.getByRole('button', { name: 'Declare winner' }).nth(1).click()
    await toastOf(page, 'B is the destination now')
    expect(await saved()).toMatchObject({ link: 'https://example.com/second', variants: [] })
  })

  test('shows every change, and reverts with an undo', async () => {
    await view('History')
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await versions.first().getByText('A, B').waitFor()
    await versions.first().getByText('Current').waitFor()
    await versions.last().getByText('Link created').waitFor()
    expect(await versions.count()).toBe(4)
    await versions
      .last()
      .getByRole('button', { name: /^Revert/ })
      .click()
    await toastOf(page, 'Reverted to the version of')
    expect(await saved()).toMatchObject({ link: 'https://example.com/first', rules: [] })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await soon(async () => (await saved())['link']).toBe('https://example.com/second')
    await soon(() => versions.count()).toBe(6)
    expect(visitor.faults).toEqual([])
  })

  test('names the destinations of iOS and Android among the rules, and marks the one that decides', async () => {
    await page.evaluate(() =>
      fetch('/v1/generate-link', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          link: 'https://example.com/shop',
          customLink: 'phones',
          password: 'x',
          ios_url: 'https://apple.example/app',
          rules: [{ if: { country: ['DE'] }, to: 'https://example.com/de' }],
        }),
      }),
    )
    await page.goto('/app/links/phones?domain=localhost&view=rules')
    const row = (who: string) => page.getByRole('paragraph').filter({ hasText: who })
    // A visitor who is stopped matches nothing.
    await page.getByText('Asked for the password').waitFor()
    expect(await page.getByText('Matches', { exact: true }).count()).toBe(0)
    await page.getByRole('switch', { name: 'Knows the password' }).check()
    await row('Everyone else').getByText('Matches').waitFor()
    await page.getByRole('combobox', { name: 'Device' }).selectOption('iPhone')
    const ofPhones = row('If operating system is iOS').filter({ hasText: '→ apple.example/app' })
    await ofPhones.getByText('Matches').waitFor()
    expect(await row('Everyone else').getByText('Matches').count()).toBe(0)
  })

  test('has its current tab in view on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/app/links/routed?domain=localhost&view=history')
    const tab = page.getByRole('navigation', { name: 'Link' }).getByRole('link', { name: 'History' })
    await tab.waitFor()
    const box = await tab.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  })
})
