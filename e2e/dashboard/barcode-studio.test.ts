/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'

describe('the barcode studio', () => {
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ visitor, page } = opened)
    await createAccount(page)
  })

  const picture = () => page.getByRole('img', { name: /^Barcode for/ })

  test('draws no value that the server would reject, and saves SKU-12345 as text', async () => {
    await page.goto('/app/codes/barcode/new')
    await picture().waitFor()
    expect(await page.getByText('Scans reliably').count()).toBe(0)
    await page.getByLabel('URL', { exact: true }).fill('SKU-12345')
    await page.getByText('SKU-12345 is not a URL.').waitFor()
    await picture().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Encode it as text' }).click()
    await page.getByRole('img', { name: 'Barcode for SKU-12345' }).waitFor()
    await page.getByText('Scans reliably').waitFor()
    await page.getByRole('button', { name: 'Create barcode' }).click()
    await toastOf(page, 'Barcode created')
    await page.waitForURL(/\/codes\/barcode\/[0-9a-f-]{36}$/)
    const saved = await page.evaluate(async () => {
      const response = await fetch(`/v1/barcode?uuid=${location.pathname.split('/').at(-1)}`)
      return ((await response.json()) as { data: unknown[] }).data[0]
    })
    expect(saved).toMatchObject({ value: 'SKU-12345', url: null, encodes: 'SKU-12345' })
  })

  test('says of every kind when to use it, and rejects what a kind cannot hold as the server does', async () => {
    const kinds = page.getByLabel('Barcode type')
    const hints = new Set<string | null>()
    const count = await kinds.locator('option').count()
    expect(count).toBe(11)
    for (let index = 0; index < count; index++) {
      await kinds.selectOption({ index })
      const id = (await kinds.getAttribute('aria-describedby')) ?? ''
      hints.add(await page.locator(`[id="${id}"]`).textContent())
    }
    expect(hints.size).toBe(count)
    await kinds.selectOption('ean13')
    await page.getByText('An EAN-13 code has 13 digits; the last may be left out and is then added').waitFor()
    await kinds.selectOption('code39')
    const value = await page.getByLabel('Text or number').inputValue()
    await page.getByLabel('Text or number').fill('A'.repeat(81))
    await page.getByText('This has 81 characters, and Code 39 holds at most 80').waitFor()
    await page.getByLabel('Text or number').fill(value)
  })

  test('recommends another kind where a barcode would be too wide for a business card', async () => {
    await page.getByLabel('Barcode type').selectOption('code128')
    await page.getByLabel('Text or number').fill('A text that is far too long for bars on a business card')
    await page.getByRole('button', { name: 'Too wide: use Data Matrix' }).click()
    const row = page.getByRole('row', { name: /^Business card/ })
    await row.getByText('2 cm', { exact: true }).waitFor()
    expect(await page.getByLabel('Barcode type').inputValue()).toBe('datamatrix')
    expect(visitor.faults).toEqual([])
  })
})
