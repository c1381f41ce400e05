import { connect } from 'node:http2'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { HOST, type Proxy } from './examples.ts'

/** Another address of this machine than the proxy's own, to distinguish them. */
export const CLIENT_ADDRESS = '127.0.0.2'

export interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: Uint8Array
}

/** Sends a request to the host of the example over HTTPS, and returns after the headers of the response. */
export function open({ httpsPort }: Proxy, path: string, sent: Sent = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      localAddress: CLIENT_ADDRESS,
      port: httpsPort,
      path,
      method: sent.method ?? 'GET',
      servername: HOST,
      headers: { host: HOST, ...sent.headers },
      agent: false,
      // The certificate is the proxy's own. The check `https` tests real ones.
      rejectUnauthorized: false,
    }
    requestHttps(options, resolve).on('error', reject).end(sent.body)
  })
}

export interface Received {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export async function send(proxy: Proxy, path: string, sent: Sent = {}): Promise<Received> {
  const response = await open(proxy, path, sent)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
  }
}

/** The target of the redirect from plain HTTP. */
export const plainLocation = ({ httpPort }: Proxy, path: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    requestHttp({ host: '127.0.0.1', port: httpPort, path, headers: { host: HOST } }, (response) => {
      response.resume()
      resolve(response.headers.location)
    })
      .on('error', reject)
      .end()
  })

/** The status of a request over HTTP/2. */
export async function http2Status({ httpsPort }: Proxy, path: string): Promise<number> {
  const session = connect(`https://127.0.0.1:${httpsPort}`, { servername: HOST, rejectUnauthorized: false })
  try {
    return await new Promise<number>((resolve, reject) => {
      session.on('error', reject)
      session
        .request({ ':path': path, ':authority': HOST })
        .on('response', (headers) => resolve(headers[':status'] ?? 0))
        .on('error', reject)
        .end()
    })
  } finally {
    session.close()
  }
}
