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

it('serves the absolute form of a request by the host of its target, whatever the Host header says', async () => {
  const waymark = await startWaymark()
  const account = await waymark.account()
  const domain = 'go.example.org'
  expect((await waymark.cli('domain', 'add', domain)).code).toBe(0)
  const codeOf = async (link: string, fields: object = {}): Promise<string> => {
    const create = () => post(waymark, account, '/v1/generate-link', { link, ...fields })
    // A process sees within a second what the command line has added.
    await expect.poll(async () => (await create()).status).toBe(201)
    return (await create()).body.data.code as string
  }
  const [own, custom] = [
    await codeOf('https://own.example/'),
    await codeOf('https://go.example/', { domain }),
  ]
  const ask = async (target: string, host: string): Promise<string> => {
    const client = await converse(waymark.port)
    await client.send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    await client.closed()
    const [status, location] = [statuses(client.heard())[0], /^location: (.*)$/im.exec(client.heard())?.[1]]
    return `${status} ${location ?? ''}`.trim()
  }
  expect(await ask(`http://localhost/${own}`, 'localhost')).toBe('302 https://own.example/')
  expect(await ask(`HTTPS://LOCALHOST:${waymark.port}/${own}?a=b`, domain)).toBe('302 https://own.example/')
  expect(await ask(`http://${domain}/${custom}`, 'localhost')).toBe('302 https://go.example/')
  expect(await ask(`http://${domain}/${own}`, 'localhost')).toBe('404')
  expect(await ask('http://localhost/v1/healthcheck', domain)).toBe('200')
  expect(await ask(`http://${domain}/v1/healthcheck`, 'localhost')).toBe('404')
  expect(await ask('http://localhost', domain)).toBe('302 /app')
  expect(await ask('http://localhost?a=b', domain)).toBe('302 /app')
  for (const target of ['http:///abc', `http://user@localhost/${own}`, 'ftp://localhost/abc'])
    expect([target, await ask(target, 'localhost')]).toEqual([target, '400'])
  await waymark.stop()
})

it('403 for a browser without an origin of its own, though no host is named', async () => {
  const waymark = await startWaymark()
  const body = JSON.stringify({ email: 'a@example.com', password: 'Correct-horse-1' })
  const client = await converse(waymark.port)
  await client.send(
    `POST /v1/sign-up HTTP/1.0\r\nOrigin: null\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await client.closed()
  expect(statuses(client.heard())).toEqual([403])
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
