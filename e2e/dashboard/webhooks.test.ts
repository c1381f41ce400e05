/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openReceiver, type Receiver, verify } from '../support/receiver.ts'
import { createAccount, soon, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'

describe('webhooks in the settings', () => {
  let receiver: Receiver
  let visitor: Visitor
  let page: Page
  let secret = ''

  beforeAll(async () => {
    receiver = await openReceiver()
    return () => receiver.close()
  })
  openDashboard(
    async (opened) => {
      ;({ visitor, page } = opened)
      await createAccount(page)
      await page.goto('/app/settings?tab=webhooks')
    },
    { env: { WEBHOOK_ALLOW_PRIVATE: 'true' }, isPhone: true },
  )

  test('its tab is in view on a phone, and the tabs scroll', async () => {
    const strip = page.getByRole('navigation', { name: 'Settings' })
    const current = await strip.getByRole('link', { name: 'Webhooks' }).boundingBox()
    expect(current?.x).toBeGreaterThanOrEqual(0)
    expect((current?.x ?? 0) + (current?.width ?? 0)).toBeLessThanOrEqual(390)
    await strip.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    const last = await strip.getByRole('link', { name: 'Audit log' }).boundingBox()
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(390)
  })

  test('adds one for some events, and shows its secret once', async () => {
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const form = page.getByRole('dialog', { name: 'Add webhook' })
    await form.getByLabel('URL').fill('nonsense')
    await form.getByText('Selected events').click()
    await form.getByRole('button', { name: 'Add webhook' }).click()
    await form.getByText('Must be a valid http or https URL').waitFor()
    await form.getByText('Must name at least one event').waitFor()
    await form.getByLabel('URL').fill(`${receiver.url}/hook`)
    await form.getByLabel('Description').fill('Stock system')
    await form.getByLabel('Links created', { exact: true }).check()
    await form.getByRole('button', { name: 'Add webhook' }).click()
    const made = page.getByRole('dialog', { name: 'Webhook added' })
    secret = (await made.locator('code').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await made.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Events: link.created').waitFor()
    expect(await page.content()).not.toContain(secret)
  })

  test('sends a test and shows that it arrived', async () => {
    await page.getByRole('button', { name: 'Send test event' }).click()
    const first = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first()
    await first.getByText('delivered, response 204').waitFor()
    const [received] = receiver.at('/hook')
    if (received === undefined) throw new Error('nothing came')
    expect(verify(secret, received)).toMatchObject({ type: 'webhook.test' })
  })

  test('shows the request and the response of a test, and sends a delivery again', async () => {
    const result = page.getByRole('region', { name: 'Test event' })
    const request = await result.getByLabel('Request', { exact: true }).textContent()
    expect(request).toContain(`POST ${receiver.url}/hook`)
    expect(request).toMatch(/webhook-signature: v1,/)
    expect(request).toContain('"type": "webhook.test"')
    expect(await result.getByLabel('Response', { exact: true }).textContent()).toContain('HTTP 204')
    await page.getByRole('button', { name: /^Redeliver webhook\.test of/ }).click()
    await soon(() => receiver.at('/hook').length).toBe(2)
    const [first, again] = receiver.at('/hook')
    expect(again?.id).toBe(first?.id)
  })

  test('rotates the secret, and deliveries are signed with both', async () => {
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const made = page.getByRole('dialog', { name: 'New signing secret' })
    const next = (await made.locator('code').textContent()) ?? ''
    expect(next).toMatch(/^whsec_/)
    expect(next).not.toBe(secret)
    await made.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Also signed with the previous secret until').waitFor()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await soon(() => receiver.at('/hook').length).toBe(3)
    const latest = receiver.at('/hook')[2]
    if (latest === undefined) throw new Error('nothing came')
    for (const valid of [secret, next]) expect(verify(valid, latest)).toMatchObject({ type: 'webhook.test' })
  })

  test('says what is wrong with a receiver that refuses', async () => {
    receiver.answer('/hook', 500)
    await page.getByRole('button', { name: 'Send test event' }).click()
    const first = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first()
    await first.getByText('The receiver returned 500').waitFor()
  })

  test('edits, switches off and on, and removes', async () => {
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit webhook' })
    expect(await form.getByLabel('Links created', { exact: true }).isChecked()).toBe(true)
    await form.getByText('All events').click()
    await form.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Events: all').waitFor()
    const onOff = page.getByRole('switch')
    await onOff.click()
    await page.getByText('Events: all, disabled').waitFor()
    expect(await page.getByRole('button', { name: 'Send test event' }).isDisabled()).toBe(true)
    await onOff.click()
    await soon(() => onOff.isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No webhooks yet').waitFor()
    expect(visitor.faults).toEqual([])
  })
})
