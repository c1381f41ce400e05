/// <reference lib="dom" />
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, soon, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'

describe('the page builder', () => {
  let waymark: Waymark
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ waymark, visitor, page } = opened)
    await createAccount(page)
  })

  /** A picture of one colour, as a file. */
  const picture = async (
    name: string,
    color: string,
  ): Promise<{ name: string; mimeType: string; buffer: Buffer }> => {
    const data = await page.evaluate((fill) => {
      const canvas = document.createElement('canvas')
      canvas.width = 320
      canvas.height = 180
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('no canvas')
      context.fillStyle = fill
      context.fillRect(0, 0, 320, 180)
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    }, color)
    return { name, mimeType: 'image/png', buffer: Buffer.from(data, 'base64') }
  }

  const publish = async (button: string): Promise<void> => {
    await page.getByRole('button', { name: button, exact: true }).click()
    if (button === 'Publish') {
      const dialog = page.getByRole('dialog', { name: 'Page published' })
      await dialog.getByRole('button', { name: 'Continue editing' }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await page.getByRole('status').getByText('Published', { exact: true }).waitFor()
  }

  const open = (section: 'Content' | 'Design' | 'Settings'): Promise<void> =>
    page.getByRole('group', { name: 'Part of the page' }).getByText(section).click()

  const published = async (): Promise<string> => (await fetch(`${waymark.url}/p/pictures`)).text()

  test('keeps pictures with their titles, and a logo', async () => {
    await page.goto('/app/pages/new')
    await page.getByLabel('Title', { exact: true }).fill('Pictures')
    await page.getByLabel('Label of button 1').fill('Go')
    await page
      .getByLabel('Add images')
      .setInputFiles([await picture('one.png', '#aa0000'), await picture('two.png', '#00aa00')])
    await page.getByLabel('Title of image 1').fill('The first')
    await page.getByLabel('Title of image 2').fill('The second')
    await open('Design')
    await page.getByLabel('Logo image').setInputFiles(await picture('logo.png', '#0000aa'))
    const phone = page.frameLocator('iframe[title="Preview of the page"]')
    await phone.getByText('The second').waitFor()
    await publish('Publish')
    const html = await published()
    expect(html.indexOf('The first')).toBeGreaterThan(-1)
    expect(html.indexOf('The second')).toBeGreaterThan(html.indexOf('The first'))
    expect([...html.matchAll(/<img[^>]+src="[^"]*\/m\/[0-9a-f]{64}/g)].length).toBeGreaterThanOrEqual(3)
  })

  test('reorders and hides them without a new upload', async () => {
    await page.waitForURL(/\/pages\/[0-9a-f-]{36}$/)
    await page.getByLabel('Title of image 1').waitFor()
    const handle = page.getByRole('button', { name: 'Move item 2' }).nth(0)
    await handle.press('ArrowUp')
    await soon(() => page.getByLabel('Title of image 1').inputValue()).toBe('The second')
    await page.getByRole('button', { name: 'Hide image 2' }).click()
    await publish('Publish changes')
    const html = await published()
    expect(html).toContain('The second')
    expect(html).not.toContain('The first')
    await page.reload()
    expect(await page.getByLabel('Title of image 1').inputValue()).toBe('The second')
    expect(await page.getByLabel('Title of image 2').inputValue()).toBe('The first')
  })

  test('drags rows with the pointer', async () => {
    await page.getByRole('button', { name: 'Add button' }).click()
    await page.getByLabel('Label of button 2').fill('Stay')
    const handles = page.locator('section').filter({ hasText: 'Buttons' }).getByTitle('Drag to reorder')
    await handles.nth(1).scrollIntoViewIfNeeded()
    const from = await handles.nth(1).boundingBox()
    const to = await handles.nth(0).boundingBox()
    if (from === null || to === null) throw new Error('no handles')
    await page.mouse.move(from.x + 10, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x + 10, from.y - 10, { steps: 4 })
    await page.mouse.move(to.x + 10, to.y + 10, { steps: 8 })
    await page.mouse.up()
    await soon(() => page.getByLabel('Label of button 1').inputValue()).toBe('Stay')
    await publish('Publish changes')
    const html = await published()
    expect(html.indexOf('>Stay')).toBeGreaterThan(-1)
    expect(html.indexOf('>Stay')).toBeLessThan(html.indexOf('>Go'))
  })

  test('names its buttons and icons in the statistics', async () => {
    await page.getByRole('button', { name: 'Add icon' }).click()
    await page.getByLabel('URL of icon 1').fill('https://instagram.example/us')
    await page.getByLabel('URL of button 1').fill('https://example.com/stay')
    await publish('Publish changes')
    const html = await published()
    for (const [, ping = ''] of html.matchAll(/ping="([^"]+)"/g))
      await fetch(new URL(ping, waymark.url), {
        method: 'POST',
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' },
        body: 'PING',
      })
    await page.getByRole('main').getByText('Statistics').click()
    const buttons = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Buttons' }) })
    await buttons.getByText('Stay', { exact: true }).waitFor()
    const icons = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Social icons' }) })
    await icons.getByText('Instagram', { exact: true }).waitFor()
  })

  test('moves to another address, and the old one leads there', async () => {
    await page.reload()
    await open('Settings')
    await page.getByRole('textbox', { name: 'Page URL' }).fill('gallery')
    await publish('Publish changes')
    const old = await fetch(`${waymark.url}/p/pictures`, { redirect: 'manual' })
    expect(old.status).toBeGreaterThanOrEqual(300)
    expect(old.status).toBeLessThan(400)
    expect(old.headers.get('location')).toMatch(/\/p\/gallery$/)
    expect(visitor.faults).toEqual([])
  })

  const live = async (slug: string): Promise<string> => (await fetch(`${waymark.url}/p/${slug}`)).text()
  const state = (text: string) => page.getByRole('status').getByText(text, { exact: true })

  test('saves a draft while typing, opens it again, and publishes or discards it', async () => {
    await page.goto('/app/pages/new')
    await page.getByLabel('Title', { exact: true }).fill('Opening hours')
    await page.getByLabel('Label of button 1').fill('Visit')
    await publish('Publish')
    await page.waitForURL(/\/pages\/[0-9a-f-]{36}$/)
    await page.getByLabel('Description').fill('Until six')
    await state('Draft saved').waitFor()
    expect(await live('opening-hours')).not.toContain('Until six')
    await page.reload()
    await page.getByText(/You are editing a draft/).waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Until six')
    await publish('Publish changes')
    expect(await live('opening-hours')).toContain('Until six')

    await page.getByLabel('Description').fill('Until midnight')
    await state('Draft saved').waitFor()
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click()
    await state('Published').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Until six')
    expect(await live('opening-hours')).not.toContain('Until midnight')
  })

  const addBlock = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add block' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  test('has headings, texts, dividers, contact buttons, thumbnails, networks, fonts and named borders', async () => {
    for (const name of ['Heading', 'Text', 'Divider', 'Call', 'Email', 'WhatsApp', 'SMS'])
      await addBlock(name)
    await page.getByLabel('Heading 2', { exact: true }).fill('Find us')
    await page.getByLabel('Text 3', { exact: true }).fill('By the river')
    await page.getByLabel('Phone number of button 5').fill('+441632960001')
    await page.getByLabel('Email address of button 6').fill('us@example.com')
    await page.getByLabel('WhatsApp number of button 7').fill('+44 1632 960002')
    await page.getByLabel('Phone number of button 8').fill('+441632960003')
    await page.getByRole('button', { name: 'Duplicate heading 2' }).click()
    await page.getByLabel('Heading 3', { exact: true }).fill('Find us again')
    await page
      .getByLabel('Thumbnail of button 1', { exact: true })
      .setInputFiles(await picture('thumbnail.png', '#aa00aa'))
    await page.getByRole('button', { name: 'Add icon' }).click()
    const network = page.getByLabel('Network of icon 1')
    expect(await network.locator('option').count()).toBeGreaterThan(30)
    await network.selectOption('mastodon')
    await page.getByLabel('URL of icon 1').fill('https://mastodon.example/@us')
    await open('Design')
    await page.getByRole('group', { name: 'Font' }).getByText('Overpass Mono').click()
    await soon(() =>
      page
        .frameLocator('iframe')
        .locator('html')
        .evaluate((root) => getComputedStyle(root).fontFamily),
    ).toMatch(/^"Overpass Mono"/)
    await page.getByText('Colours, borders and shapes').click()
    await page.getByLabel('Header shape height').scrollIntoViewIfNeeded()
    const bar = await page.getByRole('button', { name: 'Publish changes' }).boundingBox()
    expect(bar?.y, 'the save bar stays in view').toBeGreaterThanOrEqual(0)
    await page.getByLabel('Border', { exact: true }).selectOption('Thick')
    await page.getByLabel('Shadow', { exact: true }).selectOption('Hard')
    await publish('Publish changes')
    const html = await live('opening-hours')
    for (const text of [
      '>Find us</h2>',
      '>Find us again</h2>',
      '>By the river</p>',
      'role="separator"',
      'href="tel:+441632960001"',
      'href="mailto:us@example.com"',
      'href="https://wa.me/441632960002"',
      'href="sms:+441632960003"',
      'aria-label="Mastodon"',
      '--font:"Overpass Mono"',
      'border:4px solid',
      'box-shadow:8px 8px 0',
    ])
      expect(html).toContain(text)
    expect(html).toMatch(/<(?:a|p) class="b"[^>]*><img[^>]* src="[^"]*\/m\/[0-9a-f]{64}/)
    await page.reload()
    expect(await page.getByLabel('WhatsApp number of button 8').inputValue()).toBe('441632960002')
  })

  test('keeps the addresses, QR code and share picture at hand, and makes a copy with its own files', async () => {
    const share = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Share' }) })
    await share.getByRole('link', { name: /\/p\/opening-hours$/ }).waitFor()
    await share.getByRole('link', { name: 'Customise QR code' }).waitFor()
    await soon(() =>
      share.locator('img').evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth > 0)),
    ).toEqual([true, true])
    await page.getByRole('link', { name: 'Duplicate', exact: true }).click()
    await soon(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Opening hours copy')
    await open('Settings')
    expect(await page.getByRole('textbox', { name: 'Page URL' }).inputValue()).toBe('opening-hours-copy')
    await publish('Publish')
    const copy = await live('opening-hours-copy')
    expect(copy).toContain('>Find us again</h2>')
    expect(copy).toMatch(/<img src="[^"]*\/m\/[0-9a-f]{64}/)
    expect(visitor.faults).toEqual([])
  })

  test('has images, videos and contact cards, which need no script and no third party', async () => {
    await page.goto('/app/pages/new')
    const send = page.getByRole('button', { name: 'Publish', exact: true })
    expect(await send.isDisabled(), 'there is nothing to publish').toBe(true)
    await page.getByLabel('Title', { exact: true }).fill('Blocks')
    for (const name of ['Image', 'Video', 'Contact card']) await addBlock(name)
    await page.getByLabel('Picture of image 1').setInputFiles(await picture('place.png', '#00aaaa'))
    await page.getByLabel('Caption of image 1').fill('Our place')
    await page.getByLabel('Title of video 2').fill('A tour')
    await page.getByLabel('URL of video 2').fill('video.example/tour')
    const card = page.getByRole('group', { name: 'Contact 3' })
    await card.getByLabel('Last name').fill('Lovelace; Ada')
    await card.getByLabel('Phone', { exact: false }).first().fill('+44 1632 960001')
    const phone = page.frameLocator('iframe[title="Preview of the page"]')
    await phone.getByText('Save contact').click()
    await soon(() =>
      card.getByLabel('First name').evaluate((field) => field === document.activeElement),
    ).toBe(true)
    await phone.getByText('A tour').click()
    await soon(() =>
      page.getByLabel('Title of video 2').evaluate((field) => field === document.activeElement),
    ).toBe(true)
    // A button that was left empty at the end is not needed.
    await page.getByRole('button', { name: 'Add button' }).click()
    await publish('Publish')

    const context = await page.context().browser()?.newContext({
      baseURL: waymark.url,
      javaScriptEnabled: false,
    })
    if (context === undefined) throw new Error('no browser')
    const reader = await context.newPage()
    const asked: string[] = []
    reader.on('request', (request) => asked.push(new URL(request.url()).origin))
    await reader.goto('/p/blocks')
    await reader.getByAltText('Our place').waitFor()
    expect(await reader.getByRole('link', { name: 'A tour' }).getAttribute('href')).toBe(
      'https://video.example/tour',
    )
    const [download] = await Promise.all([
      reader.waitForEvent('download'),
      reader.getByRole('link', { name: 'Save contact' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Lovelace; Ada.vcf')
    expect(await readFile(await download.path(), 'utf8')).toContain('N:Lovelace\\; Ada;;;;')
    expect(new Set(asked)).toEqual(new Set([new URL(waymark.url).origin]))
    await context.close()
    expect(visitor.faults).toEqual([])
  })

  /** Every text that is drawn, in order, with its colour and what it stands on. */
  const drawnTexts = (root: Element): string[] => {
    const colorOf = (color: string): string => {
      const probe = root.ownerDocument.createElement('i')
      probe.style.color = color
      root.ownerDocument.body.append(probe)
      const computed = root.ownerDocument.defaultView?.getComputedStyle(probe).color ?? ''
      probe.remove()
      return computed
    }
    if (root instanceof SVGElement)
      return [...root.querySelectorAll('text')].map((text) => {
        const before = text.previousElementSibling
        // A label is drawn on the low rectangle right before it.
        const isOnButton = Number(before?.getAttribute('height') ?? 100) < 20
        const ground = isOnButton ? colorOf(before?.getAttribute('fill') ?? '') : 'page'
        return `${text.textContent} ${colorOf(text.getAttribute('fill') ?? '')} ${ground}`
      })
    return [...root.querySelectorAll('h1, header p, .b, nav h2, .t, .c, figcaption, .card p:not(.b)')].map(
      (element) => {
        const style = root.ownerDocument.defaultView?.getComputedStyle(element)
        const ground = element.matches('.b') ? (style?.backgroundColor ?? '') : 'page'
        return `${element.textContent?.trim()} ${style?.color} ${ground}`
      },
    )
  }

  test('draws each template as the page that it makes', async () => {
    const tab = await visitor.context.newPage()
    // Each begins with an empty page, not with the draft of the one before.
    await tab.addInitScript(() => Object.assign(Storage.prototype, { setItem: () => undefined }))
    for (const name of ['Restaurant', 'Shop', 'Product', 'Organisation']) {
      await tab.goto('/app/pages/new')
      const choice = tab.getByRole('button', { name, exact: true })
      const pictured = await choice.locator('svg').evaluate(drawnTexts)
      await choice.click()
      const phone = tab.frameLocator('iframe[title="Preview of the page"]')
      await phone
        .getByText(pictured[0]?.split(' rgb')[0] ?? '')
        .first()
        .waitFor()
      const made = await phone.locator('body').evaluate(drawnTexts)
      // The picture leaves out one line of the contact card.
      expect(made.filter((line) => !line.startsWith('4 Mill Lane'))).toEqual(pictured)
    }
    await tab.close()
  })

  test('begins with a template; what is selected in the preview can be edited at once', async () => {
    await page.goto('/app/pages/new')
    await page.getByRole('button', { name: 'Event', exact: true }).click()
    await soon(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('River Festival')
    // It was for the empty page alone.
    await page.getByRole('heading', { name: 'Begin with a template' }).waitFor({ state: 'hidden' })
    const phone = page.frameLocator('iframe[title="Preview of the page"]')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name') ?? '')
    await open('Design')
    await phone.getByText('Programme').click()
    await soon(() =>
      page.getByLabel('Label of button 2').evaluate((field) => field === document.activeElement),
    ).toBe(true)
    await phone.getByRole('heading', { name: 'River Festival' }).click()
    await soon(focused).toBe('title')
    // A rejected field is shown, whatever part of the page is open.
    await open('Settings')
    await page.getByRole('textbox', { name: 'Page URL' }).fill('gallery')
    await open('Content')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await soon(focused).toBe('slug')
    expect(visitor.faults).toEqual([])
  })
})
