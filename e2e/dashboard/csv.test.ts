/// <reference lib="dom" />
import { mkdtempSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount, soon, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'

/** The tests run in order; each depends on the one before. */
describe('links as a file', () => {
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ visitor, page } = opened)
    await createAccount(page)
    await page.goto('/app/links')
  })

  const dialog = () => page.getByRole('dialog', { name: 'Import links' })
  const preview = async (text: string): Promise<void> => {
    await dialog()
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await dialog().getByRole('button', { name: 'Preview' }).click()
  }

  test('are shown before they are imported: columns, first links, every problem by line', async () => {
    await page.getByRole('button', { name: 'Import CSV' }).click()
    await preview(
      'long_url,slug,tag,colour\nhttps://example.com/1,one,shop,red\nnonsense,,,\nhttps://example.com/2,two,,\n',
    )
    const columns = dialog().getByRole('list', { name: 'Columns' }).getByRole('listitem')
    await columns.first().waitFor()
    expect(await columns.allTextContents()).toEqual([
      'long_url → Destination',
      'slug → Short code',
      expect.stringMatching(/^tag → Tags?$/),
    ])
    await dialog().getByText('Ignored: colour').waitFor()
    await dialog().getByText('2 new · 1 invalid').waitFor()
    expect(await dialog().getByRole('row').nth(1).textContent()).toContain('example.com/1')
    const problems = dialog().getByRole('list', { name: 'Problems in the file' }).getByRole('listitem')
    expect(await problems.allTextContents()).toEqual(['Line 3, long_url: Must be a valid http or https URL'])
  })

  test('are imported in the background, found again after a reload, undone, and imported again', async () => {
    await dialog().getByRole('button', { name: 'Import 2 links' }).click()
    await dialog().getByText('2 links imported').waitFor()
    // The dialog is part of the address, so it is open again.
    await page.reload()
    await page.getByRole('row', { includeHidden: true }).filter({ hasText: '/one' }).waitFor()
    await dialog().getByRole('button', { name: 'Open the import of links.csv' }).click()
    await dialog().getByRole('button', { name: 'Undo import' }).click()
    await dialog().getByText('Every link of this import was removed.').waitFor()
    await dialog().getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Import CSV' }).click()
    await preview('link,slug,tag\nhttps://example.com/1,one,shop\nhttps://example.com/2,two,\n')
    await dialog().getByRole('button', { name: 'Import 2 links' }).click()
    await dialog().getByText('2 links imported').waitFor()
    await dialog().getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row').filter({ hasText: '/one' }).waitFor()
  })

  test('are exported, all of them or the filtered ones', async () => {
    const save = async (label: string): Promise<string> => {
      await page.getByRole('button', { name: 'CSV', exact: true }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: label, exact: true }).click(),
      ])
      expect(download.suggestedFilename()).toBe('waymark-links.csv')
      return readFile(await download.path(), 'utf8')
    }
    expect((await save('Export CSV')).match(/https:\/\/example\.com\/\d/g)).toHaveLength(2)
    await page.getByRole('row').getByRole('link', { name: 'shop' }).click()
    await page.waitForURL(/tag=shop/)
    const results = await save('Export results as CSV')
    expect(results.match(/https:\/\/example\.com\/\d/g)).toEqual(['https://example.com/1'])
  })

  test('of any size are imported in parts, and not twice', async () => {
    await page.getByRole('button', { name: 'CSV', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Import CSV' }).click()
    // A column of no meaning makes the file large: few links are enough.
    const rows = Array.from(
      { length: 9 },
      (_, n) => `https://example.com/p${n},part${n},${'x'.repeat(4 << 20)}`,
    )
    const folder = await mkdtemp(join(tmpdir(), 'waymark-large-'))
    const path = join(folder, 'large.csv')
    await writeFile(path, `link,slug,filler\n${rows.join('\n')}\n`)
    const choose = async (): Promise<void> => {
      await dialog().getByLabel('File', { exact: true }).setInputFiles(path)
      await dialog().getByRole('button', { name: 'Preview' }).click()
    }
    await choose()
    await dialog().getByText('This file is imported in 3 parts').waitFor()
    await dialog().getByRole('button', { name: 'Import all 3 parts' }).click()
    await dialog().getByText('9 links imported').waitFor()
    await dialog().getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'CSV', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Import CSV' }).click()
    await choose()
    await dialog().getByText('3 of them are imported already').waitFor()
    await rm(folder, { recursive: true })
    expect(visitor.faults).toEqual([])
  })
})

/** Two links, one of them removed, are all that the plan allows. */
const plansFile = join(mkdtempSync(join(tmpdir(), 'waymark-plans-')), 'plans.json')
writeFileSync(plansFile, JSON.stringify({ free: { limits: { links: 2 } } }))

describe('an import', () => {
  let visitor: Visitor
  let page: Page
  let uploads = 0

  openDashboard(
    async (opened) => {
      ;({ visitor, page } = opened)
      await createAccount(page)
      page.on('request', (request) => {
        if (request.url().endsWith('/v1/import-links')) uploads++
      })
    },
    { env: { PLANS_FILE: plansFile } },
  )

  const dialog = () => page.getByRole('dialog', { name: 'Import links' })
  const counters = () => dialog().getByRole('status', { name: 'Links in the file' })
  const choose = (label: string) => dialog().getByRole('radio', { name: label }).check({ force: true })
  const isSideways = (): Promise<boolean> =>
    dialog().evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  const open = async (text: string): Promise<void> => {
    await page.goto('/app/links')
    await page.getByRole('button', { name: 'CSV', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Import CSV' }).click()
    await dialog()
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await dialog().getByRole('button', { name: 'Preview' }).click()
  }

  test('counts what it creates by a choice, and goes back to the choice when it fails', async () => {
    await page.goto('/app/links')
    const { origin } = new URL(page.url())
    const send = async (path: string, data: object) => {
      const response = await page.request.post(path, { data, headers: { origin } })
      expect(response.ok()).toBe(true)
      return (await response.json()) as { data: { uuid: string } }
    }
    const { data } = await send('/v1/generate-link', { link: 'https://example.com/', customLink: 'taken' })
    await open(
      'link,slug\nhttps://example.com/1,one\nhttps://example.com/2,taken\nnonsense,\nhttps://example.com/3,\n',
    )
    await soon(() => counters().textContent()).toBe('2 new · 1 taken · 1 invalid')
    const dotWidth = await counters().evaluate(async ({ firstChild }) => {
      await document.fonts.ready
      const dot = document.createRange()
      const at = firstChild?.textContent?.indexOf('·') ?? 0
      dot.setStart(firstChild as Text, at)
      dot.setEnd(firstChild as Text, at + 1)
      return dot.getBoundingClientRect().width
    })
    expect(dotWidth).toBeGreaterThan(1)
    await dialog().getByRole('button', { name: 'Import 2 links' }).waitFor()
    await choose('Give it a new code')
    expect(await counters().textContent()).toBe('3 new · 1 of them renamed · 1 invalid')
    await dialog().getByRole('button', { name: 'Import 3 links' }).waitFor()
    await choose('Stop')
    expect(await counters().textContent()).toBe('0 new · 1 taken · 1 invalid')
    expect(await dialog().getByRole('button', { name: 'Import 0 links' }).isDisabled()).toBe(true)
    await choose('Skip it (recommended)')
    await dialog().getByRole('button', { name: 'Import 2 links' }).click()
    await dialog().getByText('Your plan allows 2 links').waitFor()
    await soon(() => counters().textContent()).toBe('2 new · 1 taken · 1 invalid')
    await send('/v1/remove-links', { uuid: data.uuid })
    const before = uploads
    await dialog().getByRole('button', { name: 'Import 2 links' }).click()
    await dialog().getByText('2 links imported, 1 skipped').waitFor()
    expect([before, uploads]).toEqual([1, 1])
  })

  test('takes what columns mean from the user, at any width', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open('Long link,Name,Rank\nhttps://example.com/menu,Menu,0\n')
    const apply = dialog().getByRole('button', { name: 'Apply' })
    await apply.waitFor()
    expect(await apply.isDisabled()).toBe(true)
    await dialog().getByText('There is no column link. Columns found: Long link, Name, Rank').waitFor()
    await dialog().getByLabel('Long link').selectOption('Destination')
    await dialog().getByLabel('Name').selectOption('Title')
    expect(await isSideways()).toBe(false)
    await apply.click()
    await soon(() => counters().textContent()).toBe('1 new')
    const columns = dialog().getByRole('list', { name: 'Columns' }).getByRole('listitem')
    expect(await columns.allTextContents()).toEqual(['Long link → Destination', 'Name → Title'])
    await dialog().getByText('Ignored: Rank').waitFor()
    await dialog().getByRole('button', { name: 'Change columns' }).click()
    await dialog().getByLabel('Rank').selectOption('Title')
    await apply.click()
    await dialog().getByText('Must give each field to one column').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await dialog().getByRole('button', { name: 'Import 1 link' }).waitFor()
    expect(await isSideways()).toBe(false)
    expect(visitor.faults).toEqual([])
  })
})
