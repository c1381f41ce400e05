import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { operations, type Operation } from '@waymark/contract'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../net/errors.ts'
import {
  type Callers,
  checkHeaders,
  checkNotForeign,
  checkSameOrigin,
  checkSignature,
} from './authenticate.ts'

interface Vector {
  readonly name: string
  readonly timestamp: string
  readonly method: string
  readonly target: string
  readonly digest: string
  readonly canonical: string
  readonly signature: string
}
const file = new URL('../../../../../docs/signing-vectors.json', import.meta.url)
const { api_key, secret, vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
  api_key: string
  secret: string
  vectors: Vector[]
}

const callers: Callers = {
  byKey: (key) =>
    Promise.resolve(
      key === api_key || key === 'wm_strict' || key === 'wm_expired'
        ? {
            uuid: 'k',
            userUuid: 'u',
            workspaceUuid: 'u',
            secret,
            expiresAtMs: key === 'wm_expired' ? 1 : null,
            allows: (address: string) => address !== '192.0.2.9',
            signatureRequired: key === 'wm_strict',
          }
        : undefined,
    ),
  byToken: (token) =>
    Promise.resolve(
      token === 'wmt_right'
        ? {
            uuid: 't',
            userUuid: 'u',
            workspaceUuid: 'w',
            expiresAtMs: null,
            allows: (from) => from !== '192.0.2.9',
          }
        : undefined,
    ),
  bySession: (token) =>
    Promise.resolve(
      token === 'token' ? { kind: 'session', uuid: 's', userUuid: 'u', workspaceUuid: 'u' } : undefined,
    ),
}
const request = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage
const msOf = (timestamp: string): number => Number(timestamp.padEnd(13, '0'))
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'passed',
    (error: unknown) => (error instanceof AppError ? error.code : 'fault'),
  )
const check = (
  operation: Operation,
  headers: Record<string, string>,
  nowMs = Date.now(),
  sessionToken?: string,
  address = '203.0.113.1',
) => checkHeaders(operation, request(headers), { sessionToken, address }, callers, nowMs)

const everyOnce = () => {
  const used = new Set<string>()
  return {
    used,
    use: (_key: string, signature: string) => Promise.resolve(!used.has(signature) && !!used.add(signature)),
  }
}

describe('a request with only the key', () => {
  it('is marked as unsigned if the operation needs no signature', async () => {
    const { caller, proof } = await check(operations.links, { 'x-api-key': api_key })
    expect([caller, proof]).toMatchObject([{ kind: 'key', unsigned: true }, undefined])
    expect(await codeOf(check(operations.currentPlan, { 'x-api-key': api_key }))).toBe('signature_missing')
  })

  it('is rejected if the key requires a signature', async () => {
    expect(await codeOf(check(operations.links, { 'x-api-key': 'wm_strict' }))).toBe('signature_missing')
    const signed = { 'x-api-key': 'wm_strict', 'x-timestamp': String(Date.now()), 'x-signature': 'f' }
    expect((await check(operations.links, signed)).caller?.unsigned).toBe(undefined)
  })
})

describe('the published vectors', () => {
  it.each(vectors)('$name', async ({ timestamp, method, target, digest, canonical, signature }) => {
    const headers = { 'x-api-key': api_key, 'x-timestamp': timestamp, 'x-signature': signature }
    const { proof } = await check(operations.currentPlan, headers, msOf(timestamp))
    if (proof === undefined) throw new Error('no proof')
    const replay = everyOnce()
    await checkSignature(proof, method, target, digest, replay)
    const again = await codeOf(checkSignature(proof, method, target, digest, replay))
    expect(again).toBe(timestamp.length === 13 ? 'signature_used' : 'passed')
    const wrong = checkSignature({ ...proof, signature: 'f'.repeat(64) }, method, target, digest, replay)
    await expect(wrong).rejects.toMatchObject({ code: 'signature_invalid', extra: { canonical } })
    expect(replay.used.has('f'.repeat(64))).toBe(false)
  })
})

describe('checks of headers, in this order', () => {
  const now = 1_800_000_000_000
  const at = (offsetMs: number): string => String(now + offsetMs)
  const key = { 'x-api-key': api_key }
  const signed = { ...key, 'x-signature': 'f'.repeat(64) }

  it.each([
    ['key_missing', {}],
    ['key_missing', { 'x-api-key': '' }],
    ['key_invalid', { 'x-api-key': 'wm_nobody', 'x-timestamp': 'nonsense' }],
    ['signature_missing', { ...key, 'x-timestamp': 'nonsense' }],
    ['timestamp_missing', signed],
    ['timestamp_invalid', { ...signed, 'x-timestamp': 'nonsense' }],
    ['timestamp_invalid', { ...signed, 'x-timestamp': '18000000000' }],
    ['timestamp_invalid', { ...signed, 'x-timestamp': ' 1800000000' }],
    ['timestamp_expired', { ...signed, 'x-timestamp': at(-300_001) }],
    ['timestamp_expired', { ...signed, 'x-timestamp': at(300_001) }],
    ['passed', { ...signed, 'x-timestamp': at(-300_000) }],
    ['passed', { ...signed, 'x-timestamp': at(300_000) }],
    ['passed', { ...signed, 'x-timestamp': '1800000300' }],
  ])('%s for %o', async (code, headers) => {
    expect(await codeOf(check(operations.currentPlan, headers, now))).toBe(code)
  })

  it('requires no signature if the key is enough, but verifies one that is sent', async () => {
    expect((await check(operations.links, key, now)).proof).toBe(undefined)
    expect(await codeOf(check(operations.links, signed, now))).toBe('timestamp_missing')
  })

  it('accepts a session instead of key and signature, but never together with a key', async () => {
    expect((await check(operations.currentPlan, {}, now, 'token')).caller?.kind).toBe('session')
    expect(await codeOf(check(operations.currentPlan, { 'x-api-key': 'wm_nobody' }, now, 'token'))).toBe(
      'key_invalid',
    )
    expect(await codeOf(check(operations.currentPlan, {}, now, 'stale'))).toBe('key_missing')
    expect(await codeOf(check(operations.keys, signed, now))).toBe('session_missing')
    expect((await check(operations.keys, signed, now, 'token')).caller?.kind).toBe('session')
  })

  it('lets a signature expire with its timestamp', async () => {
    const { proof } = await check(operations.currentPlan, { ...signed, 'x-timestamp': at(-1000) }, now)
    expect(proof).toMatchObject({ singleUse: true, expiresAtMs: now - 1000 + 300_000 })
  })
})

describe('the origin of a write', () => {
  const own = 'https://go.example.com'
  const refused = (headers: Record<string, string | undefined>, check = checkSameOrigin): boolean => {
    try {
      check(request({ host: 'go.example.com', ...headers }), own)
      return false
    } catch {
      return true
    }
  }

  it.each<[boolean, Record<string, string | undefined>]>([
    [true, {}],
    [true, { origin: 'null' }],
    [true, { origin: 'null', host: '' }],
    [true, { origin: 'null', host: undefined }],
    [true, { origin: 'https://evil.example' }],
    [true, { origin: 'https://go.example.com.evil.example' }],
    [true, { 'sec-fetch-site': 'same-site' }],
    [true, { origin: own, 'sec-fetch-site': 'cross-site' }],
    [false, { origin: own }],
    [false, { 'sec-fetch-site': 'same-origin' }],
    [false, { origin: own, host: 'proxied.internal:3000' }],
    [false, { origin: 'https://new.example', host: 'new.example' }],
    [false, { origin: 'https://new.example', host: 'NEW.example:443' }],
    [true, { origin: 'http://go.example.com' }],
    [true, { origin: 'http://go.example.com', 'sec-fetch-site': 'same-origin' }],
    [true, { origin: 'http://go.example.com:443', host: 'go.example.com:443' }],
    [true, { origin: 'https://go.example.com:8443' }],
    [true, { origin: 'http://10.0.0.5:3000', host: '10.0.0.5:3000' }],
    [true, { origin: 'ftp://go.example.com' }],
    [true, { 'sec-fetch-site': '' }],
    [true, { origin: '', 'sec-fetch-site': 'same-origin' }],
  ])('refused %s for %o', (expected, headers) => {
    expect(refused(headers)).toBe(expected)
  })

  it('may be another host than that of a BASE_URL with http, but not another scheme', () => {
    const host = '10.0.0.5:3000'
    const check = (origin: string) => () =>
      checkSameOrigin(request({ host, origin }), 'http://localhost:3000')
    expect(check(`http://${host}`)).not.toThrow()
    expect(check(`https://${host}`)).toThrow()
    expect(check('http://10.0.0.5')).toThrow()
  })

  it('does not matter without a cookie and a browser', () => {
    expect(refused({}, checkNotForeign)).toBe(false)
    expect(refused({ origin: 'https://evil.example' }, checkNotForeign)).toBe(true)
  })
})
