import { type Operation, operations } from '@waymark/contract'
import { expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import { newEmail, Visitor } from './support/visitors.ts'
import type { Account } from './support/waymark.ts'

const rejected = (scope: string | undefined) => ({
  error: `This API key does not have the scope ${scope}`,
  scope,
})

onStack('embedded', (waymark) => {
  const readOnly = async (of?: Account) => {
    const account = of ?? (await waymark().account())
    const { stdout } = await waymark().cli(
      'key',
      'create',
      '--email',
      account.email,
      '--scope',
      'read',
      '--json',
    )
    const { api_key: apiKey, secret } = JSON.parse(stdout) as { api_key: string; secret: string }
    return { ...account, apiKey, secret }
  }

  it('a read-only key reads, signed and unsigned', async () => {
    const key = await readOnly()
    for (const path of ['/v1/links', '/v1/profile', '/v1/tags', '/v1/export-links'])
      expect([path, (await get(waymark(), key, path)).status]).toEqual([path, 200])
  })

  it('403 for every write that a key can make', async () => {
    const owner = await waymark().account()
    const key = await readOnly(owner)
    const { data: link } = (
      await post(waymark(), owner, '/v1/generate-link', { link: 'https://example.com' })
    ).body
    await post(waymark(), owner, '/v1/remove-links', { uuid: link.uuid })
    const writes = Object.entries(operations as Record<string, Operation>).filter(
      ([, { method, auth }]) => method === 'POST' && (auth === 'key' || auth === 'signed'),
    )
    expect(writes.length).toBeGreaterThan(40)
    // Some take their scope from what they restore or erase: here a link.
    for (const [, { path, scope = 'links:write' }] of writes.filter(([name]) => name !== 'simulateLink')) {
      const { status, body } = await post(waymark(), key, path, { uuids: [link.uuid] })
      expect([path, status, body]).toEqual([path, 403, rejected(scope)])
    }
    const unsigned = await fetch(`${waymark().url}/v1/generate-link`, {
      method: 'POST',
      headers: { 'x-api-key': key.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ link: 'https://example.com' }),
    })
    expect([unsigned.status, await unsigned.json()]).toEqual([403, rejected('links:write')])
    expect((await get(waymark(), key, '/v1/links')).body.meta.total).toBe(0)
  })

  it('a key that requires signatures is 401 without one, and its limits are untouched', async () => {
    const account = await waymark().account()
    const words = ['key', 'create', '--email', account.email, '--signature-required', '--json']
    const { stdout } = await waymark().cli(...words)
    const { api_key: apiKey, secret } = JSON.parse(stdout) as { api_key: string; secret: string }
    for (const [method, path] of [
      ['GET', '/v1/links'],
      ['POST', '/v1/generate-link'],
    ] as const) {
      const unsigned = await fetch(waymark().url + path, { method, headers: { 'x-api-key': apiKey } })
      expect([unsigned.status, await unsigned.json()]).toEqual([401, { error: 'Signature missing' }])
    }
    const key = { ...account, apiKey, secret }
    expect((await get(waymark(), key, '/v1/links')).status).toBe(200)
    const link = { link: 'https://example.com' }
    expect((await post(waymark(), key, '/v1/generate-link', link)).status).toBe(201)
  })

  it('the dashboard creates and lists keys that require signatures', async () => {
    const visitor = new Visitor(waymark())
    await visitor.signUp(newEmail())
    const { body: made } = await visitor.post('/v1/generate-key', { signature_required: true })
    await visitor.post('/v1/generate-key', {})
    expect(made.data.signature_required).toBe(true)
    const { body: listed } = await visitor.get('/v1/keys')
    expect(listed.data.map((key: Record<string, unknown>) => key['signature_required'])).toEqual([
      false,
      true,
    ])
  })

  it('401 comes before 403: a wrong signature says nothing about the scope', async () => {
    const key = await readOnly()
    const { status } = await post(waymark(), { ...key, secret: 'wms_wrong' }, '/v1/generate-links', {})
    expect(status).toBe(401)
  })
})
