import { beforeAll, expect, it } from 'vitest'
import { filesOf } from '../support/files.ts'
import { type Bystander, newBystander, whileAttacked } from '../support/isolation.ts'
import { json, multipart, sign } from '../support/requests.ts'
import { converse, head, statuses } from '../support/sockets.ts'
import { onStack } from '../support/stacks.ts'
import { call } from '../support/visitors.ts'
import type { Account, Waymark } from '../support/waymark.ts'

const COST = { servingSeconds: 1, megabytes: 400 }

const KIB = 1024
const SENDERS = 8
/** Each is over at once; the bystander needs a while to see anything. */
const ROUNDS = 10
const FORGERS = 10
const PART_BYTES = 1024 * KIB

const sendAll = async ({ port }: Waymark, path: string, body: Buffer, headers: Record<string, string>) => {
  const talk = await converse(port)
  await talk.send(head('POST', path, { ...headers, 'content-length': String(body.length) }))
  await talk.send(body)
  const [status] = statuses(await talk.until(/^HTTP\/1\.1 \d{3}[^]*\}$/m))
  talk.end()
  return status
}

onStack('embedded', (waymark) => {
  let account: Account
  let bystander: Bystander
  beforeAll(async () => {
    account = await waymark().account()
    bystander = await newBystander(waymark())
  })

  it('a sender without credentials has 64 KiB and no files', async () => {
    const fitting = json({ email: 'a@example.com', password: 'x'.repeat(200), pad: 'x'.repeat(60 * KIB) })
    const large = json({ email: 'a@example.com', password: 'x', pad: 'x'.repeat(65 * KIB) })
    const file = multipart([{ name: 'email', value: 'a@example.com', filename: 'a.txt' }])
    const statusOf = (
      { bytes, type }: typeof large,
      headers: Record<string, string> = {},
      path = '/v1/sign-in',
    ) => sendAll(waymark(), path, bytes, { 'content-type': type, ...headers })
    expect(await statusOf(fitting)).toBe(401)
    expect(await statusOf(large)).toBe(413)
    expect(await statusOf(file)).toBe(415)
    const keyAlone = { 'x-api-key': account.apiKey }
    expect(await statusOf(large, keyAlone, '/v1/generate-link')).toBe(413)
    expect(await statusOf(file, keyAlone, '/v1/generate-link')).toBe(415)
    const signed = sign(account, 'POST', '/v1/generate-link', large.digest)
    expect(await statusOf(large, signed, '/v1/generate-link')).toBe(422)
  })

  it('slow anonymous uploads leave nothing on the disk', async () => {
    const part = multipart([{ name: 'a', value: Buffer.alloc(PART_BYTES), filename: 'a.bin' }])
    const headers = { 'content-type': part.type, 'content-length': String(40 * PART_BYTES) }
    const attack = async (): Promise<void> => {
      const talks = await Promise.all(Array.from({ length: SENDERS }, () => converse(waymark().port)))
      for (const talk of talks) {
        await talk.send(head('POST', '/v1/sign-in', headers))
        await talk.send(part.bytes.subarray(0, PART_BYTES / 2))
      }
      for (const talk of talks) expect(statuses(await talk.until(/^HTTP/m))).toEqual([413])
      expect(await filesOf(waymark(), 'temp')).toEqual([])
      for (const talk of talks) talk.end()
    }
    await whileAttacked(waymark(), 'anonymous uploads', bystander, COST, async () => {
      for (let round = 0; round < ROUNDS; round++) await attack()
    })
  })

  it('bodies in the name of a known key share one budget, and the rest gets 503', async () => {
    // The key is public; the signature is not checked before the body has come.
    const target = '/v1/update-personal-info'
    const forged = { ...sign(account, 'POST', target), 'x-signature': 'a'.repeat(64) }
    const boundary = 'x'
    const parts = Buffer.concat(
      Array.from({ length: 23 }, (_, n) =>
        Buffer.concat([
          Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="f${n}"; filename="f"\r\n\r\n`),
          Buffer.alloc(2 * 1024 * KIB),
          Buffer.from('\r\n'),
        ]),
      ),
    )
    const headers = {
      ...forged,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(48 * 1024 * KIB),
    }
    const talks = await Promise.all(Array.from({ length: FORGERS }, () => converse(waymark().port)))
    const sent = talks.map(async (talk) => {
      await talk.send(head('POST', target, headers))
      await talk.send(parts)
      return statuses(await talk.until(/^HTTP/m, 3_000))[0]
    })
    const answers = await Promise.all(sent)
    console.log(`${FORGERS} forged uploads of 46 MiB:`, answers)
    expect(answers.filter((status) => status === 503).length).toBeGreaterThan(0)
    for (const talk of talks) talk.end()
    expect((await call(waymark(), 'GET', '/readyz')).status).toBe(200)
  })
})
