/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { createAccount, soon, toastOf, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { insertManyLinks } from './many-links.ts'

const COUNT = 1_160

describe('many links at once', () => {
  let waymark: Waymark
  let visitor: Visitor
  let page: Page

  openDashboard(async (opened) => {
    ;({ waymark, visitor, page } = opened)
    insertManyLinks(waymark, await createAccount(page), COUNT)
    await page.goto('/app/links')
  })

  const total = (query: string): Promise<number> =>
    page.evaluate(async (search) => {
      const answer = await fetch(`/v1/links?limit=1&${search}`)
      return ((await answer.json()) as { meta: { total: number } }).meta.total
    }, query)
  const statusOf = async (code: string): Promise<number> =>
    (await fetch(`${waymark.url}/${code}`, { redirect: 'manual' })).status
  const bar = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = (name: string) => page.getByRole('dialog').getByRole('button', { name })
  const pickPage = async (): Promise<void> => {
    await page.getByLabel('Select all links on this page').click()
    await page.getByText('50 links selected').waitFor()
  }
  const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()

  test('the selected links are tagged, and untagged', async () => {
    await page.getByLabel(/Select .*\/n1160$/).click()
    await page.getByLabel(/Select .*\/n1159$/).click()
    await bar('Tags').click()
    await page.getByLabel('Tags', { exact: true }).fill('spring, print')
    await dialog('Add tags').click()
    await toastOf(page, '2 links tagged')
    expect(await total('tag=print')).toBe(2)
    await page.locator('tbody tr').first().getByRole('link', { name: 'spring' }).waitFor()
    await page.getByLabel(/Select .*\/n1160$/).click()
    await bar('Tags').click()
    await page.getByRole('dialog').getByRole('button', { name: 'print', exact: true }).click()
    await dialog('Remove tags').click()
    await toastOf(page, '1 link untagged')
    expect(await total('tag=print')).toBe(1)
  })

  test('all results of a filter are archived, not only the page, and undo brings them back', async () => {
    await page.goto('/app/links?search=Link 11')
    await soon(() => page.locator('tbody tr').count()).toBe(50)
    const found = await total('search=Link 11')
    expect(found).toBeGreaterThan(60)
    await pickPage()
    await page.getByRole('button', { name: `Select all ${found} links` }).click()
    await page.getByText(`${found} links selected`).waitFor()
    await bar('Archive').click()
    await toastOf(page, `${found} links archived`)
    expect(await total('state=archived')).toBe(found)
    await page.getByRole('heading', { name: 'No matching links' }).waitFor()
    expect(await statusOf('n1100')).toBe(302)
    await undo()
    await soon(() => total('state=archived')).toBe(0)
    await soon(() => page.locator('tbody tr').count()).toBe(50)
  })

  test('a change goes on when the tab is closed', async () => {
    const tab = await visitor.context.newPage()
    await tab.goto('/app/links')
    await tab.getByLabel('Select all links on this page').click()
    await tab.getByRole('button', { name: /^Select all 1,160/ }).click()
    await tab.getByRole('button', { name: 'Tags', exact: true }).click()
    await tab.getByLabel('Tags', { exact: true }).fill('everyone')
    const sent = tab.waitForResponse(/bulk-edit-links/)
    await tab.getByRole('dialog').getByRole('button', { name: 'Add tags' }).click()
    expect((await sent).status()).toBe(200)
    await tab.close()
    await soon(() => total('tag=everyone')).toBe(COUNT)
  })

  test('expired and removed links end at once; undo restores them', async () => {
    await page.goto('/app/links?search=Link 1158')
    await page.getByLabel(/Select .*\/n1158$/).click()
    await bar('Expire').click()
    await dialog('Expire now').click()
    await toastOf(page, '1 link expired')
    await soon(() => statusOf('n1158')).toBe(410)
    await undo()
    await soon(() => statusOf('n1158')).toBe(302)

    await page.goto('/app/links')
    await soon(() => page.locator('tbody tr').count()).toBe(50)
    await pickPage()
    await page.getByRole('button', { name: /^Select all 1,160/ }).click()
    await bar('Remove').click()
    await page.getByRole('dialog').getByText('not only this page').waitFor()
    await dialog('Move to trash').click()
    await toastOf(page, '1,160 links removed')
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()
    expect(await statusOf('n1')).toBe(410)
    await undo()
    await soon(() => total('')).toBe(COUNT)
    expect(await statusOf('n1')).toBe(302)
  })

  test('the selection is exported', async () => {
    await page.goto('/app/links')
    await page.getByLabel(/Select .*\/n1160$/).click()
    const [download] = await Promise.all([page.waitForEvent('download'), bar('Export').click()])
    expect(new URL(download.url()).searchParams.get('uuid')).toMatch(/1160$/)
    expect(visitor.faults).toEqual([])
  })
})
