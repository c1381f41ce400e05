/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount, soon, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'

describe('the QR studio', () => {
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ visitor, page } = opened)
    await createAccount(page)
  })

  /** The code whose studio is open, as the API returns it. */
  const saved = (): Promise<Record<string, unknown>> =>
    page.evaluate(async () => {
      const response = await fetch(`/v1/qrcode?uuid=${location.pathname.split('/').at(-1)}`)
      return ((await response.json()) as { data: Record<string, unknown>[] }).data[0] ?? {}
    })

  test('says that a code scans only after it was decoded', async () => {
    const held = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    await page.route('**/assets/reader-*.js', async (route) => {
      asked.resolve()
      await held.promise
      await route.continue()
    })
    await page.goto('/app/codes/qr/new')
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/menu')
    await asked.promise
    await page.getByText('Checking…').waitFor()
    expect(await page.getByText('Scans reliably').count()).toBe(0)
    held.resolve()
    await page.getByText('Scans reliably').waitFor()
  })

  test('offers presets that all scan', async () => {
    const presets = page.getByRole('group', { name: 'Presets' }).getByRole('radio')
    expect(await presets.count()).toBeGreaterThanOrEqual(6)
    const picture = page.getByRole('img', { name: /^QR code for/ })
    // The first is what the studio begins with, so that it comes last.
    for (let at = (await presets.count()) - 1; at >= 0; at--) {
      const before = await picture.getAttribute('src')
      await presets.nth(at).check({ force: true })
      await soon(async () => (await picture.getAttribute('src')) === before).toBe(false)
      await page.getByText('Scans reliably').waitFor()
    }
  })

  test('saves a dynamic code with its shapes and frame, whose scans lead to statistics', async () => {
    expect(await page.getByRole('switch', { name: 'Dynamic' }).isChecked()).toBe(true)
    const choose = (group: string, name: string) =>
      page.getByRole('group', { name: group }).getByText(name, { exact: true }).click()
    await choose('Pattern', 'Classy')
    await choose('Eyes', 'Circle')
    await page.getByLabel('Frame text').fill('Our menu')
    await page.getByText('Scans reliably').waitFor()
    await page.getByRole('button', { name: 'Create QR code' }).click()
    await toastOf(page, 'QR code created')
    await page.waitForURL(/\/codes\/qr\/[0-9a-f-]{36}$/)
    expect(await saved()).toMatchObject({
      dynamic: true,
      style: 'classy',
      eye_style: 'circle',
      frame: 'Our menu',
      warnings: [],
    })
    await choose('Pattern', 'Dots')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await toastOf(page, 'QR code updated')
    expect(await saved()).toMatchObject({ pattern: 'dots', style: null, eye_style: 'circle' })
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      await page.getByText('Scans reliably').waitFor()
      await page.evaluate(() => scrollTo(0, 600))
      for (const part of [page.getByText('Scans reliably'), page.getByRole('button', { name: 'SVG' })]) {
        const box = await part.boundingBox()
        expect([width, box !== null && box.y >= 0 && box.y + box.height <= 844]).toEqual([width, true])
      }
    }
    await page.getByRole('button', { name: 'Print size' }).click()
    const width = page.getByLabel('Width in millimetres')
    await width.fill('7.99')
    await width.press('Enter')
    await page.getByText('Must be at least 8').waitFor()
    await width.fill('25,5')
    const [file] = await Promise.all([page.waitForEvent('download'), width.press('Enter')])
    expect(file.suggestedFilename()).toMatch(/-25\.5mm\.pdf$/)
    await width.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Scan statistics' }).click()
    await page.waitForURL(/\/app\/links\/[A-Za-z0-9]{7}\?domain=localhost$/)
    await page.getByText('No clicks in this period').first().waitFor()
    expect(visitor.faults).toEqual([])
  })

  test('exports the codes that are selected in the list', async () => {
    await page.goto('/app/codes')
    await page.getByRole('button', { name: 'Export all codes' }).waitFor()
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Export 1 code' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'PNG files' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('waymark-codes.zip')
    expect(file.url()).toMatch(/export-codes\?format=png&uuids=[0-9a-f-]{36}/)
  })

  test('applies the brand kit with one click, as the page builder does, and keeps styles in it', async () => {
    await page.goto('/app/codes/qr/new?url=https://example.com')
    await page.getByRole('button', { name: 'Set up brand kit' }).click()
    const kit = page.getByRole('dialog', { name: 'Brand kit' })
    await kit.getByRole('textbox', { name: 'Main colour optional', exact: true }).fill('#6b1d3a')
    await kit.getByRole('textbox', { name: 'Background colour optional', exact: true }).fill('#fff7f5')
    await kit.getByLabel('Font').selectOption('Serif')
    await kit.getByRole('button', { name: 'Save brand kit' }).click()
    await toastOf(page, 'Brand kit saved')
    await page.getByLabel('Frame text').fill('Our menu')
    await page.getByRole('button', { name: 'Apply brand kit' }).click()
    await soon(() => page.getByLabel('Colour', { exact: true }).inputValue()).toBe('#6b1d3a')
    expect(await page.getByLabel('Background', { exact: true }).inputValue()).toBe('#fff7f5')
    expect(await page.getByRole('radio', { name: 'Serif', exact: true }).isChecked()).toBe(true)
    await page.getByText('Scans reliably').waitFor()

    await page.getByRole('button', { name: 'Save style' }).click()
    const style = page.getByRole('dialog', { name: 'Save style' })
    await style.getByRole('button', { name: 'Save to brand kit' }).click()
    await style.getByText('This field is required').waitFor()
    await style.getByRole('textbox', { name: 'Name' }).fill('Menu')
    await style.getByText('Use for new codes').click()
    await style.getByRole('button', { name: 'Save to brand kit' }).click()
    await toastOf(page, 'Style saved')
    const styles = page.getByRole('group', { name: 'Saved styles' })
    expect(await styles.getByRole('radio', { name: 'Menu' }).isChecked()).toBe(true)

    page.on('dialog', (question) => void question.accept())
    await page.goto('/app/pages/new')
    await page.getByRole('group', { name: 'Part of the page' }).getByText('Design').click()
    await page.getByRole('button', { name: 'Apply brand kit' }).click()
    const ground = page.frameLocator('iframe[title="Preview of the page"]').locator('html')
    await soon(() => ground.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 247, 245)',
    )

    await page.goto('/app/codes/qr/new?url=https://example.com')
    await styles.waitFor()
    expect(await page.getByLabel('Frame text').inputValue()).toBe('Our menu')
    await page.getByText('Scans reliably').waitFor()
    await page.getByRole('button', { name: 'Create QR code' }).click()
    await page.waitForURL(/\/codes\/qr\/[0-9a-f-]{36}$/)
    expect(await saved()).toMatchObject({
      color: '#6b1d3a',
      background: '#fff7f5',
      frame: 'Our menu',
      frame_font: 'serif',
      warnings: [],
    })
    await page.getByRole('button', { name: 'Edit brand kit' }).click()
    await kit.getByRole('button', { name: 'Remove Menu' }).click()
    await kit.getByRole('button', { name: 'Save brand kit' }).click()
    await soon(() => styles.count()).toBe(0)
    expect(visitor.faults).toEqual([])
  })

  test('rejects a logo by its content, not by its name', async () => {
    await page.goto('/app/codes/qr/new')
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/')
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('just some text') })
    await page.getByText('logo.png is not a PNG or JPEG image').waitFor()
    expect(await page.getByRole('button', { name: 'Remove logo' }).count()).toBe(0)
    expect(
      await page
        .locator('main img')
        .evaluateAll((all) => all.every((img) => (img as HTMLImageElement).naturalWidth > 0)),
    ).toBe(true)
  })
})
