import { request } from 'node:https'
import { namesPrivateHost, PrivateAddressError, publicLookup } from '../../net/public-address.ts'

/** Whether a host responds over HTTPS, and what is wrong if it does not. */
export interface HttpsFinding {
  readonly ok: boolean
  readonly error: string | null
}

export type ProbeHttps = (host: string) => Promise<HttpsFinding>

const TIMEOUT_MS = 5_000

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens on port 443',
  ENOTFOUND: 'The name has no address',
  ENODATA: 'The name has no address',
  ECONNRESET: 'The connection was closed; the proxy may have no certificate for this name',
  EPROTO: 'The proxy has no certificate for this name',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is not issued by a public authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is not issued by a public authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is not issued by a public authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is not issued by a public authority',
}

const sentenceOf = (error: NodeJS.ErrnoException): string => {
  if (error instanceof PrivateAddressError) return 'The name leads to a private address'
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `No response within ${TIMEOUT_MS / 1000} seconds`
  const code = error.code ?? ''
  return (
    SENTENCES[code] ?? (code.startsWith('ERR_SSL') ? SENTENCES['EPROTO'] : undefined) ?? 'The request failed'
  )
}

/**
 * Requests `/livez` of a host over HTTPS. Only public addresses are connected to, and nothing of the response is handed
 * on, so that an account learns nothing about networks that only this machine reaches.
 */
export const probeHttps: ProbeHttps = (host) =>
  new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve({ ok: false, error: sentenceOf(error) })
    const url = new URL(`https://${host}/livez`)
    if (namesPrivateHost(url)) return fail(new PrivateAddressError())
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    request(url, { agent: false, signal, lookup: publicLookup() }, (response) => {
      const isOurs = response.statusCode === 200
      response.destroy()
      resolve(
        isOurs ? { ok: true, error: null } : { ok: false, error: 'Another server responds at this name' },
      )
    })
      .on('error', fail)
      .end()
  })
