import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const KEY_ID = 'test'

export const CLIENT = { OIDC_CLIENT_ID: 'waymark', OIDC_CLIENT_SECRET: 'a secret for tests' }

export interface ProviderAccount {
  readonly email: string
  readonly email_verified?: boolean
  readonly given_name?: string
}

/** Replaces the response of the provider; returns false to let the provider respond. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * A real OpenID provider on this machine. Its sign-in form accepts any password for the added accounts. `clientAuth`: the only
 * client authentication method that it accepts.
 */
export async function openProvider(
  clientAuth: 'client_secret_post' | 'client_secret_basic' = 'client_secret_post',
) {
  const accounts = new Map<string, ProviderAccount>()
  const key = newKey()
  let fault: Fault = () => false
  let handle: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => {
    if (!fault(request, response)) void handle?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const createProvider = (baseUrl: string): Provider => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.OIDC_CLIENT_ID,
          client_secret: CLIENT.OIDC_CLIENT_SECRET,
          redirect_uris: [`${baseUrl}/app/oidc`],
          token_endpoint_auth_method: clientAuth,
        },
      ],
      clientAuthMethods: [clientAuth],
      jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a key for the cookies of tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      features: { devInteractions: { enabled: true } },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ sub, ...accounts.get(sub) }),
      }),
      // The provider asks for no consent.
      loadExistingGrant: async ({ oidc }) => {
        const { Grant } = provider
        const grant = new Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    return provider
  }
  return {
    issuer,
    accounts,
    /** The instance that may use it. */
    allow: (baseUrl: string): void => void (handle = createProvider(baseUrl).callback()),
    setFault: (next: Fault | undefined) => (fault = next ?? (() => false)),
    /** An ID token, signed with the key that the provider publishes or with another one. */
    idToken: (claims: object, isKeyKnown = true): string => {
      const text = `${base64url({ alg: 'RS256', kid: KEY_ID })}.${base64url(claims)}`
      return `${text}.${sign('sha256', Buffer.from(text), isKeyKnown ? key : newKey()).toString('base64url')}`
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof openProvider>>

/**
 * Acts as a browser at the provider: opens the URL, fills in the form, follows redirects, and stops at the first URL of another
 * origin, whose query it returns. Uses the cookies if some are given.
 */
export async function visitProvider(
  start: string,
  login: string,
  cookies = new Map<string, string>(),
): Promise<string> {
  const { origin } = new URL(start)
  let request: { url: string; body?: URLSearchParams } = { url: start }
  for (let steps = 0; steps < 10; steps++) {
    if (new URL(request.url).origin !== origin) return new URL(request.url).search.slice(1)
    const response = await fetch(request.url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(request.body !== undefined && { method: 'POST', body: request.body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1).join('').split(/=(.*)/s)
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location !== null) request = { url: new URL(location, request.url).href }
    else {
      const page = await response.text()
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
      if (action === undefined)
        throw new Error(`The provider shows no form: ${response.status} ${page.slice(0, 300)}`)
      const fields = { prompt: 'login', login, password: 'any' }
      request = { url: new URL(action, request.url).href, body: new URLSearchParams(fields) }
    }
  }
  throw new Error('The provider redirects without end')
}
