import { operations } from '@waymark/contract'
import { expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'

const REJECTED = { error: 'This API key may only read' }

forEachStack((waymark) => {
  const readOnly = async () => {
    const account = await waymark().account()
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
    const key = await readOnly()
    const writes = Object.values(operations).filter(
      ({ method, auth }) => method === 'POST' && (auth === 'key' || auth === 'signed'),
    )
    expect(writes.length).toBeGreaterThan(20)
    for (const { path } of writes) {
      const { status, body } = await post(waymark(), key, path, {})
      expect([path, status, body]).toEqual([path, 403, REJECTED])
    }
    const unsigned = await fetch(`${waymark().url}/v1/generate-link`, {
      method: 'POST',
      headers: { 'x-api-key': key.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ link: 'https://example.com' }),
    })
    expect([unsigned.status, await unsigned.json()]).toEqual([403, REJECTED])
    expect((await get(waymark(), key, '/v1/links')).body.meta.total).toBe(0)
  })

  it('401 comes before 403: a wrong signature says nothing about the scope', async () => {
    const key = await readOnly()
    const { status } = await post(waymark(), { ...key, secret: 'wms_wrong' }, '/v1/generate-links', {})
    expect(status).toBe(401)
  })
})
