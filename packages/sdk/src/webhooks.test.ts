import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from './index.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const body = JSON.stringify({
  type: 'link.created',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { link: 'ü' },
})
const at = new Date('2026-01-01T00:00:00Z')
const now = (): number => at.getTime()

/** Headers as the public library signs them. */
const signed = (content = body, time = at): Record<string, string> => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.trunc(time.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign('msg_1', time, content),
})

describe('a webhook delivery', () => {
  it('is an event once it is verified, however it was handed over', async () => {
    const event = { type: 'link.created', data: { link: 'ü' } }
    const headers = signed()
    const bytes = new TextEncoder().encode(body)
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    )
    for (const delivery of [
      { headers, body },
      { headers: new Headers(headers), body: bytes },
      { headers: upper, body: bytes.buffer },
    ])
      expect(await verifyWebhook(secret, delivery, { now })).toMatchObject(event)
  })

  it('may carry several signatures, and be verified with several secrets', async () => {
    const headers = signed()
    const signatures = `v1a,AAAA v1,AAAA v1,!! ${headers['webhook-signature']}`
    const delivery = { headers: { ...headers, 'webhook-signature': signatures }, body }
    expect(await verifyWebhook([other, secret], delivery, { now })).toMatchObject({ type: 'link.created' })
  })

  const wrong = async (delivery: Parameters<typeof verifyWebhook>[1], given = secret, clock = now) => {
    const attempt = verifyWebhook(given, delivery, { now: clock })
    await expect(attempt).rejects.toBeInstanceOf(WebhookVerificationError)
    return attempt.catch((error: Error) => error.message)
  }

  it('is refused when anything was changed', async () => {
    const text = 'The signature of the delivery is wrong'
    expect(await wrong({ headers: signed(), body: `${body} ` })).toBe(text)
    expect(await wrong({ headers: { ...signed(), 'webhook-id': 'msg_2' }, body })).toBe(text)
    expect(await wrong({ headers: signed(), body }, other)).toBe(text)
    const later = { ...signed(), 'webhook-timestamp': String(now() / 1000 + 1) }
    expect(await wrong({ headers: later, body })).toBe(text)
  })

  it('is refused when it is too old, from the future, or not dated', async () => {
    const text = 'The delivery is too old, or the clock is wrong'
    for (const offset of [-301_000, 301_000])
      expect(await wrong({ headers: signed(), body }, secret, () => now() + offset)).toBe(text)
    expect(await wrong({ headers: { ...signed(), 'webhook-timestamp': 'x' }, body })).toBe(text)
    await verifyWebhook(secret, { headers: signed(), body }, { now: () => now() + 299_000 })
  })

  it('is refused without its headers', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(await wrong({ headers: { ...signed(), [name]: undefined }, body })).toMatch('headers')
  })

  it('cannot be verified with what is no secret', async () => {
    await expect(verifyWebhook('whsec_!', { headers: signed(), body }, { now })).rejects.toThrow(TypeError)
  })
})
