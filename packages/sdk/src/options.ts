import type { OperationName } from './operations.ts'

/** A request that is about to be sent, as `onRequest` sees it. */
export interface RequestEvent {
  /** The operation that is called. */
  readonly operation: OperationName
  /** `GET` or `POST`. */
  readonly method: string
  /** The whole address, with its query string. */
  readonly url: string
  /** 1 for the first attempt of a call, 2 for the second, and so on. */
  readonly attempt: number
  /** Headers of the request, before the key and the signature are added. Add your own here. */
  readonly headers: Record<string, string>
}

/** A response, or the lack of one, as `onResponse` sees it. */
export interface ResponseEvent {
  /** The operation that was called. */
  readonly operation: OperationName
  /** `GET` or `POST`. */
  readonly method: string
  /** The whole address, with its query string. */
  readonly url: string
  /** 1 for the first attempt of a call, 2 for the second, and so on. */
  readonly attempt: number
  /** The HTTP status; 0 when there was no response. */
  readonly status: number
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined
  /** How long this attempt took. */
  readonly durationMs: number
}

/** Options of every client. */
export interface CommonOptions {
  /** Address of the server, such as `https://go.example.com`. */
  readonly baseUrl: string
  /** The `fetch` to use. Default: the one of the platform. */
  readonly fetch?: typeof fetch | undefined
  /** Attempts after the first when the server cannot be reached or is unavailable. Default 3. */
  readonly retries?: number | undefined
  /** The longest wait between two attempts. If the server asks for more, the call fails. Default 60 s. */
  readonly maxDelayMs?: number | undefined
  /** How long one attempt may take. Default 60 s, and 5 minutes for `generateCodes`. */
  readonly timeoutMs?: number | undefined
  /** How long one call may take, with all its attempts and waits. Default 10 minutes; 60 s with a session. */
  readonly deadlineMs?: number | undefined
  /** Reject fields that an operation does not know. `false`: ignore them and list them in `ignored`. Default true. */
  readonly strict?: boolean | undefined
  /** Called before every attempt, and may add headers. */
  readonly onRequest?: ((request: RequestEvent) => void | Promise<void>) | undefined
  /** Called after every attempt. */
  readonly onResponse?: ((response: ResponseEvent) => void) | undefined
  /** The clock, for tests. */
  readonly now?: (() => number) | undefined
  /** Random numbers from 0 to 1, for tests. */
  readonly random?: (() => number) | undefined
  /** Waits, for tests. */
  readonly wait?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
}

/** Options of a client with an API key. Without the secret it can call only what needs no signature. */
export interface KeyOptions extends CommonOptions {
  /** The key, `wm_…`. */
  readonly apiKey: string
  /** The secret of the key, `wms_…`. */
  readonly secret?: string | undefined
  /** A client with a key has no session. */
  readonly session?: false | undefined
}

/** Options of a client with an access token: nothing is signed. */
export interface TokenOptions extends CommonOptions {
  /** The access token, `wmt_…`. */
  readonly token: string
  /** A client with a token has no session. */
  readonly session?: false | undefined
}

/** Options of a client in a browser that is signed in to the dashboard: same origin, no key, no signature. */
export interface SessionOptions extends CommonOptions {
  /** Sends the session cookie instead of a key. */
  readonly session: true
}

/** How a client is made. */
export type ClientOptions = KeyOptions | TokenOptions | SessionOptions
