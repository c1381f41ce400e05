import { describe, expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'

const url = 'https://example.com/'
const resources = [
  {
    name: 'links',
    list: '/v1/links',
    create: '/v1/generate-link',
    edit: '/v1/edit-links',
    fields: { link: url },
  },
  {
    name: 'QR codes',
    list: '/v1/qrcode',
    create: '/v1/generate-qr',
    edit: '/v1/edit-qr',
    fields: { url, pattern: 'squares' },
  },
  {
    name: 'barcodes',
    list: '/v1/barcode',
    create: '/v1/generate-barcode',
    edit: '/v1/edit-barcode',
    fields: { url },
  },
  {
    name: 'UTM links',
    list: '/v1/utm',
    create: '/v1/generate-utm',
    edit: '/v1/edit-utm',
    fields: { url, source: 's', medium: 'm', campaign: 'c', content: 'x' },
  },
]

forEachStack((waymark) => {
  describe.each(resources)('$name', ({ list, create, edit, fields }) => {
    it('are edited only as they were read when If-Match says so', async () => {
      const account = await waymark().account()
      const send = (path: string, body: Record<string, unknown>, headers = {}) =>
        post(waymark(), account, path, body, headers)
      const first = (await send(create, fields)).body.data
      const { uuid } = first
      const tag = (version: string): Record<string, string> => ({ 'if-match': `"${version}"` })

      const second = await send(edit, { ...fields, uuid }, tag(first.updated_at))
      expect(second.status).toBe(200)
      expect(second.body.data.updated_at > first.updated_at).toBe(true)

      const key = { ...tag(first.updated_at), 'idempotency-key': 'late' }
      for (let n = 0; n < 2; n++) {
        const late = await send(edit, { ...fields, uuid }, key)
        expect([late.status, late.body.data]).toEqual([412, second.body.data])
        expect(typeof late.body.error).toBe('string')
        expect(late.headers.get('idempotent-replayed')).toBe(null)
      }
      const any = await send(edit, { ...fields, uuid }, { 'if-match': '*' })
      const without = await send(edit, { ...fields, uuid })
      expect([any.status, without.status]).toEqual([200, 200])
      expect(without.body.data.updated_at > any.body.data.updated_at).toBe(true)
    })

    it('are picked by uuid as a list of one, or an empty one', async () => {
      const account = await waymark().account()
      const made = (await post(waymark(), account, create, fields)).body.data
      await post(waymark(), account, create, fields)
      const one = await get(waymark(), account, `${list}?uuid=${made.uuid}`)
      expect([one.body.data, one.body.meta]).toEqual([[made], { count: 1, total: 1, next_cursor: null }])
      const other = await waymark().account()
      for (const [caller, uuid] of [
        [other, made.uuid],
        [account, 'nothing'],
      ] as const) {
        const none = await get(waymark(), caller, `${list}?uuid=${uuid}`)
        expect([none.status, none.body.data, none.body.meta.total]).toEqual([200, [], 0])
      }
    })
  })

  it('holds edits of domains and webhooks to If-Match as well', async () => {
    const account = await waymark().account()
    const name = `versions-${Date.now()}.example`
    await waymark().cli('domain', 'add', name, '--email', account.email)
    const { data: domains } = (await get(waymark(), account, '/v1/domains')).body
    const domain = domains.find((each: { name: string }) => each.name === name)
    const webhook = (await post(waymark(), account, '/v1/add-webhook', { url })).body.data
    for (const [path, row, change] of [
      ['/v1/edit-domain', domain, { name, brand_name: 'B' }],
      ['/v1/edit-webhook', webhook, { uuid: webhook.uuid, description: 'B' }],
    ] as const) {
      const edit = () => post(waymark(), account, path, change, { 'if-match': `"${row.updated_at}"` })
      const answers = await Promise.all([edit(), edit(), edit()])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412])
      const [changed, late] = [200, 412].map((status) => answers.find((each) => each.status === status))
      expect(late?.body.data).toEqual(changed?.body.data)
      expect(changed?.body.data.updated_at > row.updated_at).toBe(true)
    }
  })

  it('lets one of many edits of the same version through', async () => {
    const account = await waymark().account()
    const link = (await post(waymark(), account, '/v1/generate-link', { link: url })).body.data
    const edits = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        post(
          waymark(),
          account,
          '/v1/edit-links',
          { uuid: link.uuid, link: url, title: `${n}` },
          { 'if-match': `"${link.updated_at}"` },
        ),
      ),
    )
    expect(edits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 412),
    ])
  })
})
