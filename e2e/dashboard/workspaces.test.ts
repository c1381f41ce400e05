/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Waymark } from '../support/waymark.ts'
import { clipboard, createAccount, newVisitor, PASSWORD, soon, toastOf, type Visitor } from './browser.ts'
import { openBrowser } from './dashboard.ts'

const switchTo = async (page: Page, name: string): Promise<void> => {
  await page
    .getByRole('button', { name: /^Workspace/ })
    .first()
    .click()
  await page.getByRole('menuitemradio', { name }).click()
  await page
    .getByRole('button', { name: `Workspace ${name}` })
    .first()
    .waitFor()
}

/** The uuid of the workspace that a tab works in. */
const workspaceOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    () => Object.entries(sessionStorage).find(([key]) => key.startsWith('waymark.workspace.'))?.[1],
  )

/** Calls the API with the session of a browser. */
const call = async (page: Page, path: string, data: object, workspace = '') => {
  const origin = new URL(page.url() === 'about:blank' ? 'http://localhost' : page.url()).origin
  const response = await page.request.post(path, {
    data,
    headers: { origin, ...(workspace !== '' && { 'x-workspace': workspace }) },
  })
  expect([path, response.ok()]).toEqual([path, true])
  return ((await response.json()) as { data: Record<string, string> }).data
}

describe('workspaces', () => {
  let waymark: Waymark
  let browser: Browser
  let owner: Visitor

  openBrowser((opened) => {
    ;({ waymark, browser } = opened)
  })

  test('one is created by keyboard, and two tabs work in two workspaces', async () => {
    owner = await newVisitor(browser, waymark)
    const { page, context } = owner
    await createAccount(page)
    await page.goto('/app/links')
    await page.getByRole('button', { name: 'Workspace Ada’s workspace' }).waitFor()
    await call(page, '/v1/generate-link', { link: 'https://example.com/first', customLink: 'first' })
    await page.keyboard.press('w')
    await page.getByRole('menuitem', { name: 'Create workspace' }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create workspace' })
    await dialog.getByLabel('Name').fill('see https://example.com')
    await page.keyboard.press('Enter')
    await dialog.getByText('Must not contain a URL').waitFor()
    await dialog.getByLabel('Name').fill('River Festival')
    await page.keyboard.press('Enter')
    await toastOf(page, 'Workspace created')
    await page.getByRole('button', { name: 'Workspace River Festival' }).waitFor()
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()

    const other = await context.newPage()
    await other.goto('/app/links')
    await switchTo(other, 'Ada’s workspace')
    await other.getByRole('link', { name: /first/ }).first().waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()
    await other.reload()
    await other.getByRole('link', { name: /first/ }).first().waitFor()

    // A download names the workspace in its address.
    const workspace = await workspaceOf(other)
    await other.getByRole('button', { name: 'CSV', exact: true }).click()
    const [download] = await Promise.all([
      other.waitForEvent('download'),
      other.getByRole('menuitem', { name: /^Export/ }).click(),
    ])
    expect(new URL(download.url()).searchParams.get('workspace')).toBe(workspace)
    await other.close()
    expect(owner.faults).toEqual([])
  })

  test('an invited person signs up, works as the role allows, and is removed', async () => {
    const { page } = owner
    await page.goto('/app/settings?tab=members')
    // One in the heading, and one where there are no invitations.
    await page.getByRole('button', { name: 'Invite member' }).first().click()
    let dialog = page.getByRole('dialog', { name: 'Invite member' })
    await dialog.getByLabel('Email').fill('grace@example.com')
    await dialog.getByRole('radio', { name: /^Viewer/ }).check()
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    dialog = page.getByRole('dialog', { name: 'Invitation created' })
    await dialog.waitFor()
    // The link is not shown again, so Escape does not close it before it was copied.
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Copy Invitation link' }).click()
    const link = await clipboard(page)
    expect(link).toContain('/app/invitation?token=')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('grace@example.com').waitFor()

    const invited = await newVisitor(browser, waymark)
    const { page: theirs } = invited
    await theirs.goto(link)
    await theirs.getByRole('heading', { name: 'Join River Festival' }).waitFor()
    await theirs.getByText('Ada invited you as viewer').waitFor()
    expect(await theirs.getByLabel('Email').inputValue()).toBe('grace@example.com')
    await theirs.getByLabel('First name').fill('Grace')
    await theirs.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await theirs.getByRole('button', { name: 'Create account and join' }).click()
    await toastOf(theirs, 'You have joined River Festival')
    await theirs.getByRole('button', { name: 'Workspace River Festival' }).waitFor()

    await theirs.getByText(/needs the role editor in River Festival/).waitFor()
    expect(await theirs.getByRole('button', { name: 'Shorten' }).count()).toBe(0)
    await theirs.goto('/app/links')
    await theirs.getByRole('heading', { name: 'No links yet' }).waitFor()
    expect(await theirs.getByRole('button', { name: 'New link' }).count()).toBe(0)
    for (const [path, field] of [
      ['codes/qr/new', 'URL'],
      ['codes/barcode/new', 'URL'],
      ['pages/new', 'Title'],
    ] as const) {
      await theirs.goto(`/app/${path}`)
      await theirs.getByText(/needs the role editor in River Festival; yours is viewer/).waitFor()
      expect([path, await theirs.getByLabel(field, { exact: true }).first().isDisabled()]).toEqual([
        path,
        true,
      ])
    }
    await theirs.goto('/app/links?create=true')
    await theirs.getByText('You cannot create links. This needs the role editor').waitFor()
    expect(await theirs.getByLabel('Destination', { exact: true }).isDisabled()).toBe(true)
    await theirs.goto('/app/links?import=true')
    await theirs.getByRole('heading', { name: 'No links yet' }).waitFor()
    expect(await theirs.getByRole('dialog', { name: /Import/ }).count()).toBe(0)
    await theirs.goto('/app/')
    await theirs.getByText('No links yet').waitFor()
    await theirs.getByText('No codes yet').waitFor()

    // What there is can be looked at, but nothing offers a change that could not be saved.
    const uuid = await workspaceOf(page)
    const create = (path: string, data: object) => call(page, path, data, uuid)
    await create('/v1/generate-link', {
      link: 'https://example.com/routed',
      customLink: 'river-routed',
      rules: [{ if: { country: ['DE'] }, to: 'https://example.com/de' }],
      variants: [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }],
    })
    await create('/v1/generate-utm', {
      url: 'https://example.com/landing',
      source: 'Flyer',
      medium: 'qr',
      campaign: 'spring sale',
      content: 'header',
    })
    const removed = await create('/v1/generate-link', { link: 'https://example.com/gone' })
    await create('/v1/remove-links', { uuid: removed['uuid'] })
    await theirs.goto('/app/links/river-routed?view=rules')
    await theirs.getByText(/You can look at the rules. This needs the role editor/).waitFor()
    expect(await theirs.getByLabel('Destination of rule 1').isDisabled()).toBe(true)
    expect(await theirs.getByRole('button', { name: 'Add rule' }).count()).toBe(0)
    expect(await theirs.getByRole('button', { name: 'Discard changes' }).count()).toBe(0)
    await theirs.getByRole('combobox', { name: 'Country' }).last().selectOption('DE')
    await theirs.getByText('https://example.com/de', { exact: true }).waitFor()
    await theirs.goto('/app/links/river-routed?view=variants')
    await theirs.getByText(/You can look at the variants. This needs the role editor/).waitFor()
    expect(await theirs.getByRole('button', { name: 'Declare winner' }).first().isDisabled()).toBe(true)
    expect(await theirs.getByRole('button', { name: 'Add variant' }).count()).toBe(0)
    await theirs.goto('/app/utm')
    await theirs.getByRole('button', { name: /hint/ }).waitFor()
    expect(await theirs.getByRole('button', { name: /^Fix/ }).count()).toBe(0)
    await theirs.goto('/app/trash')
    await theirs.getByText('https://example.com/gone').or(theirs.getByText('1 item')).first().waitFor()
    expect(await theirs.getByRole('checkbox').count()).toBe(0)

    await theirs.goto('/app/settings?tab=members')
    await theirs.getByText(/needs the role admin in River Festival; yours is viewer/).waitFor()
    const tabs = theirs.getByRole('navigation', { name: 'Settings' })
    expect(await tabs.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    await theirs.goto('/app/settings?tab=workspace')
    expect(await theirs.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)

    // The used link.
    await theirs.goto(link)
    await theirs.getByRole('heading', { name: 'This invitation does not work' }).waitFor()

    await page.reload()
    await page.getByLabel('Role of Grace').selectOption('admin')
    await toastOf(page, 'Member saved')
    await theirs.goto('/app/settings?tab=members')
    await theirs.getByRole('button', { name: 'Invite member' }).first().waitFor()
    await theirs.getByText('Only an owner can change the role of an owner').waitFor()

    await page.getByRole('button', { name: 'Remove Grace' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove this member?' })
    await removal.getByRole('switch', { name: 'Keep API keys and access tokens' }).check()
    await removal.getByRole('button', { name: 'Remove member' }).click()
    await toastOf(page, 'Member removed')
    await theirs.getByRole('button', { name: 'Invite member' }).first().click()
    await theirs.getByLabel('Email').fill('eve@example.com')
    await theirs.getByRole('button', { name: 'Create invitation' }).click()
    await toastOf(theirs, 'You are no longer a member of that workspace. You are now in Grace’s workspace.')
    await theirs.getByRole('button', { name: 'Workspace Grace’s workspace' }).waitFor()
    expect(invited.faults).toEqual([])
    await invited.context.close()
  })

  test('someone who is signed in as another user is told so, and can change', async () => {
    const { page } = owner
    const uuid = await workspaceOf(page)
    const { invite_url: link = '' } = await call(
      page,
      '/v1/invite-member',
      { email: 'linus@example.com', role: 'editor' },
      uuid,
    )
    const { page: theirs, context } = await newVisitor(browser, waymark)
    const email = await createAccount(theirs)
    await theirs.goto(link)
    await theirs.getByText(`sent to linus@example.com, and you are signed in as ${email}`).waitFor()
    await theirs.getByRole('button', { name: 'Use another account' }).click()
    await theirs.getByRole('link', { name: 'Sign in to accept' }).click()
    await theirs.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await theirs.getByLabel('Email').fill(email)
    await theirs.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await theirs.getByRole('button', { name: 'Sign in' }).click()
    await theirs.getByRole('button', { name: `Accept as ${email}` }).click()
    await toastOf(theirs, 'You have joined River Festival')
    await theirs.goto('/app/settings?tab=workspace')
    await theirs.getByRole('button', { name: 'Leave this workspace' }).click()
    await theirs.getByRole('button', { name: 'Leave workspace', exact: true }).click()
    await toastOf(theirs, 'You have left the workspace')
    await theirs.getByRole('button', { name: 'Workspace Ada’s workspace' }).waitFor()
    await context.close()
  })

  test('an access token is limited to areas, shown once and revoked', async () => {
    const { page } = owner
    await page.goto('/app/settings?tab=tokens')
    await page.getByLabel('Name').fill('n8n')
    await page.getByLabel('Access', { exact: true }).selectOption('Only some areas')
    await page.getByRole('button', { name: 'Create access token' }).click()
    await page.getByText('Must name at least one scope').waitFor()
    await page.getByRole('checkbox', { name: 'Write Links' }).check()
    expect(await page.getByRole('checkbox', { name: 'Read Links' }).isDisabled()).toBe(true)
    let rejections = 1
    // The session is new, so its first request is rejected in the server's place.
    await page.route('**/v1/generate-token', (route) =>
      rejections-- > 0
        ? route.fulfill({ status: 403, json: { error: 'Confirm that it is you', reauthenticate: true } })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Create access token' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    const dialog = page.getByRole('dialog', { name: 'New access token' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Copy Access token' }).click()
    const token = await clipboard(page)
    const status = async (path: string): Promise<number> =>
      (await fetch(waymark.url + path, { headers: { authorization: `Bearer ${token}` } })).status
    expect([await status('/v1/links'), await status('/v1/qrcode')]).toEqual([200, 403])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('links:write').waitFor()
    await page.getByRole('button', { name: 'Revoke n8n' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await soon(() => status('/v1/links')).toBe(401)
  })

  test('the audit log says in sentences who changed what', async () => {
    const { page } = owner
    await page.goto('/app/settings?tab=audit')
    await page.getByText(/^Ada created the access token/).waitFor()
    await page.getByText('Ada invited someone as editor').waitFor()
    await page.getByLabel('What').selectOption('Roles changed')
    await page.getByText(/^Ada changed the role of .* to admin$/).waitFor()
    await page.getByText('1 entry', { exact: true }).waitFor()
    await page.getByLabel('What').selectOption('Everything')
    await page.getByRole('button', { name: 'Only this: n8n' }).first().click()
    await page.getByText('Only changes of n8n').waitFor()
    await page.getByText('2 entries', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('waymark-audit-log.csv')
  })

  test('a workspace is renamed, and removed once its name is typed', async () => {
    const { page } = owner
    await page.goto('/app/settings?tab=workspace')
    await page.getByLabel('Name', { exact: true }).fill('Lake Festival')
    await page.getByRole('button', { name: 'Save workspace' }).click()
    await page.getByRole('button', { name: 'Workspace Lake Festival' }).waitFor()
    await page.getByRole('button', { name: 'Remove this workspace' }).click()
    const remove = page.getByRole('button', { name: 'Remove workspace and all its data' })
    expect(await remove.isDisabled()).toBe(true)
    await page.getByLabel('Type Lake Festival to confirm').fill('Lake Festival')
    await remove.click()
    await toastOf(page, 'Workspace removed')
    await page.getByRole('button', { name: 'Workspace Ada’s workspace' }).waitFor()
    await page.goto('/app/links')
    await page.getByRole('link', { name: /first/ }).first().waitFor()
    expect(owner.faults).toEqual([])
  })
})
