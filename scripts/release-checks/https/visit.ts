import { request } from 'node:https'
import type { TLSSocket } from 'node:tls'

export interface HttpsVisit {
  readonly status: number
  readonly location: string | undefined
  readonly issuer: string
  /** The names of the certificate. */
  readonly names: string
}

/** Requests a host over HTTPS at a port of this machine. The certificate must be issued by the authority for the host. */
export function visitHttps(host: string, path: string, port: number, authority: string): Promise<HttpsVisit> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      servername: host,
      headers: { host },
      ca: authority,
      agent: false,
    }
    request(options, (response) => {
      const certificate = (response.socket as TLSSocket).getPeerCertificate()
      response.resume()
      resolve({
        status: response.statusCode ?? 0,
        location: response.headers.location,
        issuer: String(certificate.issuer.CN),
        names: certificate.subjectaltname ?? '',
      })
    })
      .on('error', reject)
      .end()
  })
}
