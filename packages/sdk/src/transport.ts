import type { UploadProgress } from './call-options.ts'

/** A request as it goes out. */
export interface Outgoing {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | Blob | undefined
  readonly signal: AbortSignal
  readonly sameOrigin: boolean
  /** A success is a file, not a text. */
  readonly wantsBytes: boolean
  readonly onUploadProgress: ((progress: UploadProgress) => void) | undefined
}

/** A response as it was received. */
export interface Incoming {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
  /** The file, where the operation returns one. */
  readonly bytes?: Uint8Array
}

/** Sends with fetch. Redirects are not followed: they would carry the key to wherever they lead. */
export const sendByFetch = async (send: typeof fetch, request: Outgoing): Promise<Incoming> => {
  const { url, method, headers, body, signal } = request
  const response = await send(url, {
    method,
    headers,
    signal,
    redirect: 'manual',
    credentials: request.sameOrigin ? 'same-origin' : 'omit',
    ...(body === undefined ? {} : { body }),
  })
  const { status, headers: answered } = response
  if (request.wantsBytes && status === 200)
    return { status, headers: answered, text: '', bytes: new Uint8Array(await response.arrayBuffer()) }
  return { status, headers: answered, text: await response.text() }
}

/** As much of XMLHttpRequest as is used here: the types of a browser are not at hand where Node's are. */
interface Xhr {
  readonly status: number
  readonly responseText: string
  readonly upload: { addEventListener(kind: 'progress', listener: (event: UploadProgress) => void): void }
  addEventListener(kind: 'load' | 'error' | 'abort', listener: () => void): void
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body?: unknown): void
  abort(): void
}

const xhrConstructor = (): (new () => Xhr) | undefined =>
  (globalThis as unknown as { XMLHttpRequest?: new () => Xhr }).XMLHttpRequest

/** Sends with XMLHttpRequest, the only way in which a browser tells how far an upload has come. */
const sendByXhr = (Constructor: new () => Xhr, request: Outgoing): Promise<Incoming> =>
  new Promise((resolve, reject) => {
    const xhr = new Constructor()
    const abort = (): void => xhr.abort()
    xhr.open(request.method, request.url)
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value)
    xhr.upload.addEventListener('progress', ({ loaded, total }) =>
      request.onUploadProgress?.({ loaded, total }),
    )
    xhr.addEventListener('load', () => {
      request.signal.removeEventListener('abort', abort)
      const headers = { get: (name: string) => xhr.getResponseHeader(name) }
      resolve({ status: xhr.status, headers, text: xhr.responseText })
    })
    xhr.addEventListener('error', () => reject(new TypeError('The request could not be sent')))
    xhr.addEventListener('abort', () => reject(request.signal.reason as Error))
    if (request.signal.aborted) reject(request.signal.reason as Error)
    else {
      request.signal.addEventListener('abort', abort, { once: true })
      xhr.send(request.body)
    }
  })

const sizeOf = (body: string | Blob | undefined): number => {
  if (body === undefined) return 0
  return typeof body === 'string' ? new TextEncoder().encode(body).length : body.size
}

/** Sends a request; where nothing tells how far an upload has come, its end at least is reported. */
export const send = async (own: typeof fetch | undefined, request: Outgoing): Promise<Incoming> => {
  const { onUploadProgress } = request
  if (onUploadProgress === undefined) return sendByFetch(own ?? fetch, request)
  const Constructor = own === undefined ? xhrConstructor() : undefined
  if (Constructor !== undefined) return sendByXhr(Constructor, request)
  const response = await sendByFetch(own ?? fetch, request)
  const total = sizeOf(request.body)
  onUploadProgress({ loaded: total, total })
  return response
}
