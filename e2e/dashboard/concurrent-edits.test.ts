/// <reference lib="dom" />
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount, soon, toastOf } from './browser.ts'
import { openDashboard } from './dashboard.ts'

interface Row {
  readonly uuid: string
  readonly [field: string]: unknown
}

describe('edits of what was changed elsewhere meanwhile', () => {
  let page: Page

  openDashboard(async (opened) => {
    ;({ page } = opened)
    await createAccount(page)
    await page.goto('/app/links')
  })

  const call = (path: string, body?: object): Promise<{ data: Row & Row[] }> =>
    page.evaluate(
      async ([address, json]) => {
        const response = await fetch(
          address,
          json === undefined
            ? {}
            : { method: 'POST', headers: { 'content-type': 'application/json' }, body: json },
        )
        if (!response.ok) throw new Error(await response.text())
        return (await response.json()) as { data: never }
      },
      [path, body === undefined ? undefined : JSON.stringify(body)] as const,
    )
  const editPanel = () => page.getByRole('dialog', { name: 'Edit link' })
  const describeLink = async (text: string): Promise<void> => {
    await editPanel().locator('summary', { hasText: 'More options' }).click()
    await editPanel()
      .getByLabel(/^Description/)
      .fill(text)
  }

  const openLink = async (name: string): Promise<string> => {
    const { data } = await call('/v1/generate-link', {
      link: 'https://example.com/one',
      customLink: name,
      title: 'As created',
    })
    await page.goto('/app/links')
    await page.getByRole('button', { name: new RegExp(`^More for .*/${name}$`) }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await editPanel().waitFor()
    return data.uuid
  }
  const linkOf = async (uuid: string): Promise<Row | undefined> =>
    (await call(`/v1/links?uuid=${uuid}`)).data[0]

  test('keep both changes without a question when other fields were changed', async () => {
    const uuid = await openLink('both')
    await call('/v1/edit-links', { uuid, link: 'https://example.com/two', title: 'From elsewhere' })
    await describeLink('Typed here')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await toastOf(page, 'Short link updated')
    expect(await linkOf(uuid)).toMatchObject({
      link: 'https://example.com/two',
      title: 'From elsewhere',
      description: 'Typed here',
    })
  })

  test.each([
    ['Your change', 'Typed here'],
    ['Saved elsewhere', 'From elsewhere'],
  ])('ask about a field that both changed: %s', async (choice, expected) => {
    const uuid = await openLink(choice.startsWith('Your') ? 'mine' : 'theirs')
    await call('/v1/edit-links', { uuid, link: 'https://example.com/one', title: 'From elsewhere' })
    await editPanel()
      .getByLabel(/^Title/)
      .fill('Typed here')
    await describeLink('Only here')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const question = page.getByRole('dialog', { name: 'Changed elsewhere' })
    await question.getByRole('group', { name: 'Title' }).getByLabel(choice).check()
    expect(await question.getByRole('group').count()).toBe(1)
    await question.getByRole('button', { name: 'Save' }).click()
    await editPanel().waitFor({ state: 'hidden' })
    expect(await linkOf(uuid)).toMatchObject({ title: expected, description: 'Only here' })
  })

  test('a cancelled question leaves the form as it was', async () => {
    const uuid = await openLink('cancelled')
    await call('/v1/edit-links', { uuid, link: 'https://example.com/one', title: 'From elsewhere' })
    await editPanel()
      .getByLabel(/^Title/)
      .fill('Typed here')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const question = page.getByRole('dialog', { name: 'Changed elsewhere' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    expect(
      await editPanel()
        .getByLabel(/^Title/)
        .inputValue(),
    ).toBe('Typed here')
    expect(await linkOf(uuid)).toMatchObject({ title: 'From elsewhere' })
  })

  test('keep what was changed elsewhere in a QR code, a barcode and a UTM link', async () => {
    const url = 'https://example.com/'
    const qr = await call('/v1/generate-qr', { url, pattern: 'squares' })
    await page.goto(`/app/codes/qr/${qr.data.uuid}`)
    await page.getByLabel('Description').waitFor()
    await call('/v1/edit-qr', { uuid: qr.data.uuid, color: '#112233' })
    await page.getByLabel('Description').fill('Typed here')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await toastOf(page, 'QR code updated')
    expect((await call(`/v1/qrcode?uuid=${qr.data.uuid}`)).data[0]).toMatchObject({
      color: '#112233',
      description: 'Typed here',
    })

    const barcode = await call('/v1/generate-barcode', { url })
    await page.goto(`/app/codes/barcode/${barcode.data.uuid}`)
    await page.getByLabel('Description').waitFor()
    await call('/v1/edit-barcode', { uuid: barcode.data.uuid, color: '#112233' })
    await page.getByLabel('Description').fill('Typed here')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await toastOf(page, 'Barcode updated')
    expect((await call(`/v1/barcode?uuid=${barcode.data.uuid}`)).data[0]).toMatchObject({
      color: '#112233',
      description: 'Typed here',
    })

    const fields = { url, source: 'a', medium: 'b', campaign: 'c', content: 'd' }
    const utm = await call('/v1/generate-utm', fields)
    await page.goto('/app/utm')
    await page.getByRole('button', { name: 'More for c, a' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await call('/v1/edit-utm', { ...fields, uuid: utm.data.uuid, content: 'elsewhere' })
    await page.getByRole('combobox', { name: 'Campaign' }).fill('here')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await toastOf(page, 'UTM link saved')
    expect((await call(`/v1/utm?uuid=${utm.data.uuid}`)).data[0]).toMatchObject({
      campaign: 'here',
      content: 'elsewhere',
    })
  })

  const shopAt = (slug: string) => ({
    title: 'Shop',
    slug,
    domain: 'localhost',
    logoStatus: 1,
    logoText: 'Shop',
    logoPosition: 'top-center',
    theme: { bggradient: [null, null] },
    buttons: [{ id: 1, status: 1, label: 'One', url: 'https://example.com/1' }],
    socialIcons: [],
  })

  test('keep a button that was added to a page elsewhere, and what is typed while a save is under way', async () => {
    const shop = shopAt('shop')
    const { uuid } = (await call('/v1/generate-page', shop)).data
    await page.goto(`/app/pages/${uuid}`)
    const { promise: isSent, resolve: sent } = Promise.withResolvers<void>()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const holdOnce = async (route: Route): Promise<void> => {
      sent()
      await isReleased
      await route.continue()
    }
    await page.route('**/v1/edit-page', holdOnce, { times: 1 })
    await page.getByLabel('Label of button 1').fill('First')
    await isSent
    await call('/v1/edit-page', {
      ...shop,
      uuid,
      buttons: [
        { id: 1, status: 1, label: 'One', url: 'https://example.com/1' },
        { id: 2, status: 1, label: 'Two', url: 'https://example.com/2' },
      ],
    })
    await page.getByLabel('Title', { exact: true }).fill('Typed during the save')
    release()
    await soon(() => page.getByLabel('Label of button 2').inputValue()).toBe('Two')
    expect(await page.getByLabel('Label of button 1').inputValue()).toBe('First')
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Typed during the save')
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await soon(async () => (await call(`/v1/pages?uuid=${uuid}`)).data[0]?.['title']).toBe(
      'Typed during the save',
    )
    expect((await call(`/v1/pages?uuid=${uuid}`)).data[0]).toMatchObject({
      buttons: [{ label: 'First' }, { label: 'Two' }],
    })
  })

  test('publish a draft without undoing what was published elsewhere, and ask about what both changed', async () => {
    const shop = shopAt('drafted')
    const { uuid } = (await call('/v1/generate-page', shop)).data
    await page.goto(`/app/pages/${uuid}`)
    await page.getByLabel('Title', { exact: true }).fill('Of the draft')
    await page.getByRole('status').filter({ hasText: 'Draft saved' }).waitFor()
    await call('/v1/edit-page', { ...shop, uuid, title: 'Elsewhere', subtext: 'Only elsewhere' })
    const publish = page.getByRole('button', { name: 'Publish changes' })
    const question = page.getByRole('dialog', { name: 'Changed elsewhere' })
    const published = async () => (await call(`/v1/pages?uuid=${uuid}`)).data[0]

    await publish.click()
    await question.waitFor()
    expect(await question.getByRole('group').allTextContents()).toEqual([
      expect.stringMatching(/^Title.*Of the draft.*Elsewhere$/s),
    ])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The draft and the published page stay as they are.').waitFor()
    expect(await published()).toMatchObject({ title: 'Elsewhere', unpublished: { title: 'Of the draft' } })

    await page.reload()
    await page.getByText('Changed on the published page after you began this draft: Title.').waitFor()
    await publish.click()
    await question.getByLabel('Your change').check()
    await question.getByRole('button', { name: 'Save' }).click()
    await toastOf(page, 'Changes published')
    expect(await published()).toMatchObject({
      title: 'Of the draft',
      subtext: 'Only elsewhere',
      unpublished: null,
      conflicts: [],
    })
  })
})
