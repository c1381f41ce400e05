import { expect, it } from 'vitest'
import { post } from '../support/requests.ts'
import { converse, statuses } from '../support/sockets.ts'
import { call } from '../support/visitors.ts'
import { startWaymark } from '../support/waymark.ts'

it('400 for two Host headers, on a short link and on the API, and the connection is closed', async () => {
  const waymark = await startWaymark()
  const { body } = await post(waymark, await waymark.account(), '/v1/generate-link', {
    link: 'https://example.com/',
  })
  for (const path of [`/${body.data.code}`, '/v1/healthcheck', '/app']) {
    const client = await converse(waymark.port)
    await client.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n`)
    expect([path, statuses(await client.until(/\r\n\r\n/))]).toEqual([path, [400]])
    expect(await client.closed()).toBe(true)
  }
  await waymark.stop()
})

it('sends HSTS on the default host behind https, and never for subdomains', async () => {
  const secure = await startWaymark({ BASE_URL: 'https://go.example.com' })
  const plain = await startWaymark()
  const hsts = async (port: number, host: string): Promise<unknown> =>
    (await call({ port }, 'GET', '/v1/healthcheck', { headers: { host } })).headers[
      'strict-transport-security'
    ]
  expect(await hsts(secure.port, 'go.example.com')).toBe('max-age=31536000')
  expect(await hsts(plain.port, 'localhost')).toBeUndefined()
  await secure.stop()
  await plain.stop()
})
