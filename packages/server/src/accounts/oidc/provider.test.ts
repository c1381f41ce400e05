import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { OidcProvider } from './provider.ts'

test('a description of the provider without usable endpoints is not kept', async () => {
  let described: Record<string, string> = {}
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(described))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const endpoints = {
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  }
  const config = {
    issuer,
    clientId: 'waymark',
    clientSecret: undefined,
    name: 'Example ID',
    signupDomains: undefined,
    join: undefined,
  }
  const provider = new OidcProvider(config, 'http://localhost/app/oidc', Date.now)
  const begin = async () => new URL((await provider.begin('sign-in', false)).url)
  try {
    const { authorization_endpoint: _, ...others } = endpoints
    for (const wrong of [
      {},
      others,
      { ...endpoints, authorization_endpoint: 'javascript:alert(1)' },
      { ...endpoints, jwks_uri: 'nowhere' },
    ]) {
      described = { issuer, ...wrong }
      await expect(begin()).rejects.toMatchObject({ code: 'oidc_failed' })
    }
    described = { issuer, ...endpoints }
    expect((await begin()).href).toContain(`${issuer}/authorize?`)
  } finally {
    server.close()
  }
})
