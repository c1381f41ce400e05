import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { canonicalString, readTimestamp, TIMESTAMP_TOLERANCE_MS, type Operation } from '@waymark/contract'
import { actingFor, currentRequester } from '../../net/admission/gate.ts'
import { type Caller, identityOf, type KnownKey, type KnownToken, personOf } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import { EMPTY_DIGEST } from '../body/read-body.ts'
import type { Proof, Step } from '../call.ts'
import type { RequestFacts } from '../routes.ts'

/** Looks up callers. Undefined: unknown, revoked, ended, or the account is deleted. */
export interface Callers {
  byKey(apiKey: string): Promise<KnownKey | undefined>
  byToken(token: string): Promise<KnownToken | undefined>
  bySession(token: string): Promise<Caller | undefined>
}

/** Remembers single-use signatures. */
export interface Replay {
  use(apiKey: string, signature: string, expiresAtMs: number): Promise<boolean>
}

/** The caller, and the signature to verify after the body has been digested. */
export interface Credentials {
  readonly caller: Caller | undefined
  readonly proof: Proof | undefined
}

export interface AuthenticateDependencies {
  readonly callers: Callers
  readonly replay: Replay
  readonly ownOrigin: string
  readonly now: () => number
}

/** Key, token or session must be known and valid; signature and timestamp must be present. Reads no body. */
export const identifyCaller =
  ({ callers, ownOrigin, now }: AuthenticateDependencies): Step =>
  async (call, next) => {
    const { operation, isWrite, request, facts, reply } = call
    const { caller, proof } = await checkHeaders(operation, request.raw, facts, callers, now())
    if (isWrite && caller?.kind === 'session') checkSameOrigin(request.raw, ownOrigin)
    if (isWrite && operation.auth === 'none') checkNotForeign(request.raw, ownOrigin)
    // On the reply itself, so that an error response has it as well: the old token is used up.
    if (caller?.setCookie !== undefined) reply.header('set-cookie', caller.setCookie)
    call.caller = caller
    call.proof = proof
    return next()
  }

/** The signature must match headers, path and body, and a single-use one must be new. */
export const verifySignature =
  ({ replay }: AuthenticateDependencies): Step =>
  async ({ proof, raw, request }, next) => {
    const { method = '', url = '' } = request.raw
    if (proof !== undefined) await checkSignature(proof, method, url, raw?.digest ?? EMPTY_DIGEST, replay)
    return next()
  }

/** From here on expensive work counts against the account. An API key alone is public and uses the share of its address. */
export const actAsCaller: Step = ({ caller }, next) => {
  const account = caller?.unsigned === true ? undefined : caller?.userUuid
  return actingFor({ ...currentRequester(), account, user: caller && personOf(caller) }, next)
}

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  const text = Array.isArray(value) ? value[0] : value
  return text === undefined || text === '' ? undefined : text
}

/** Checks everything that depends only on headers. */
export async function checkHeaders(
  operation: Operation,
  request: IncomingMessage,
  { sessionToken, address }: Pick<RequestFacts, 'sessionToken' | 'address'>,
  callers: Callers,
  nowMs: number,
): Promise<Credentials> {
  if (operation.auth === 'none') return { caller: undefined, proof: undefined }
  const apiKey = header(request, 'x-api-key')
  const bearer = operation.auth === 'session' || operation.tokens === false ? undefined : bearerOf(request)
  if (apiKey === undefined && bearer !== undefined) {
    const token = await callers.byToken(bearer)
    if (token === undefined || !isUsable(token, address, nowMs)) throw new AppError('token_unknown')
    return { caller: { kind: 'token', ...identityOf(token) }, proof: undefined }
  }
  if (apiKey === undefined || operation.auth === 'session') {
    const caller = sessionToken === undefined ? undefined : await callers.bySession(sessionToken)
    if (caller !== undefined) return { caller, proof: undefined }
    throw new AppError(operation.auth === 'session' ? 'session_missing' : 'key_missing')
  }
  const key = await callers.byKey(apiKey)
  if (key === undefined || !isUsable(key, address, nowMs)) throw new AppError('key_invalid')
  const caller: Caller = { kind: 'key', ...identityOf(key) }
  const signature = header(request, 'x-signature')
  if (signature === undefined && operation.auth === 'key' && !key.signatureRequired)
    return { caller: { ...caller, unsigned: true }, proof: undefined }
  if (signature === undefined) throw new AppError('signature_missing')
  const timestamp = header(request, 'x-timestamp')
  if (timestamp === undefined) throw new AppError('timestamp_missing')
  const time = readTimestamp(timestamp)
  if (time === undefined) throw new AppError('timestamp_invalid')
  if (Math.abs(nowMs - time.atMs) > TIMESTAMP_TOLERANCE_MS) throw new AppError('timestamp_expired')
  const expiresAtMs = time.atMs + TIMESTAMP_TOLERANCE_MS
  const { singleUse } = time
  return { caller, proof: { apiKey, secret: key.secret, signature, timestamp, expiresAtMs, singleUse } }
}

/** Other schemes, and tokens of other services, are meant for a proxy in front of the server and are ignored. */
const bearerOf = (request: IncomingMessage): string | undefined =>
  /^Bearer +(wmt_.*)$/i.exec(header(request, 'authorization') ?? '')?.[1]

const isUsable = ({ expiresAtMs, allows }: KnownToken, address: string, nowMs: number): boolean =>
  (expiresAtMs === null || nowMs < expiresAtMs) && allows(address)

/** Verifies the signature of the request, including its body's digest, and uses it up. */
export async function checkSignature(
  proof: Proof,
  method: string,
  target: string,
  digest: string,
  replay: Replay,
): Promise<void> {
  const canonical = canonicalString({ timestamp: proof.timestamp, method, target, digest })
  const expected = createHmac('sha256', proof.secret).update(canonical).digest('hex')
  const given = Buffer.from(proof.signature)
  const right = given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))
  if (!right) throw new AppError('signature_invalid', { extra: { canonical } })
  if (proof.singleUse && !(await replay.use(proof.apiKey, proof.signature, proof.expiresAtMs)))
    throw new AppError('signature_used')
}

/** A write with the session cookie must come from our own pages; browsers send where it comes from. */
export function checkSameOrigin(request: IncomingMessage, ownOrigin: string): void {
  if (header(request, 'origin') === undefined && header(request, 'sec-fetch-site') === undefined)
    throw new AppError('cross_origin')
  checkNotForeign(request, ownOrigin)
}

/** A browser on another site must not sign a visitor in or up. Other clients send no origin. */
export function checkNotForeign(request: IncomingMessage, ownOrigin: string): void {
  const site = header(request, 'sec-fetch-site')
  const { origin } = request.headers
  if (origin !== undefined && !isOwn(origin, request, ownOrigin)) throw new AppError('cross_origin')
  if (site !== undefined && site !== 'same-origin') throw new AppError('cross_origin')
}

/**
 * The origin of `BASE_URL`, or of the requested host with the scheme of `BASE_URL`: a new installation is often reached under
 * another name. The scheme of the connection says nothing, because a proxy may terminate TLS.
 */
const isOwn = (origin: string, request: IncomingMessage, ownOrigin: string): boolean => {
  const requested = URL.parse(`${new URL(ownOrigin).protocol}//${header(request, 'host') ?? ''}`)
  return origin === ownOrigin || (requested !== null && origin === requested.origin)
}
