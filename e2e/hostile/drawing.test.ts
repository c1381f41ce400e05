import { once } from 'node:events'
import { connect } from 'node:net'
import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { type Bystander, newBystander, whileAttacked } from '../support/isolation.ts'
import { until } from '../support/pages.ts'
import { watchMemory } from '../support/memory.ts'
import { multipart, post } from '../support/requests.ts'
import { onStack } from '../support/stacks.ts'
import { call } from '../support/visitors.ts'
import type { Waymark } from '../support/waymark.ts'

const COST = { servingSeconds: 3, megabytes: 400 }

/** Four warm threads that read and draw codes hold about 150 MB; a picture of 16 megapixels takes as much again. */
const MAX_MEGABYTES = 400
const ASKERS = 16

/** A captioned barcode of some 3,900 × 400 pixels; returns the path of its picture. */
const newBarcode = async (waymark: Waymark, n: number): Promise<string> => {
  const account = await waymark.account()
  const { status, body } = await post(waymark, account, '/v1/generate-barcode', {
    url: `https://example.com/${'a'.repeat(329)}${n}`,
    text: 'Caption',
    text_size: 80,
    size: 300,
  })
  expect(status).toBe(201)
  return new URL(body.data.image_url as string).pathname
}

const STYLES = [
  { pattern: 'dots', frame: 'Scan me' },
  { pattern: 'squares', style: 'classy', eye_style: 'circle' },
  { pattern: 'squares', style: 'rounded', frame: 'Scan me' },
]

/** QR codes of many modules, which sharp draws as outlines; returns the paths of their pictures. */
const newStyledQrs = async (waymark: Waymark): Promise<string[]> => {
  const account = await waymark.account()
  const qrs = STYLES.map((style) =>
    post(waymark, account, '/v1/generate-qr', {
      url: `https://example.com/${'a'.repeat(1200)}`,
      size: 500,
      ...style,
    }),
  )
  return (await Promise.all(qrs)).map(({ status, body }) => {
    expect(status).toBe(201)
    return new URL(body.data.image_url as string).pathname
  })
}

onStack('embedded', (waymark) => {
  let bystander: Bystander
  let paths: string[]
  let styled: string[]
  beforeAll(async () => {
    bystander = await newBystander(waymark())
    paths = await Promise.all([1, 2].map((n) => newBarcode(waymark(), n)))
    styled = await newStyledQrs(waymark())
  })

  it('large pictures are drawn once for all who ask, a few at a time, and delay no other request', async () => {
    const memory = watchMemory(waymark())
    const targets = [...Array<string>(ASKERS).fill(`${paths[0]}?scale=6`)]
    for (const path of paths) for (const scale of [3, 7]) targets.push(`${path}?scale=${scale}`)
    for (const path of paths) targets.push(`${path.replace('.png', '.webp')}?scale=3`)
    for (const path of styled)
      for (const asked of ['.webp?scale=3', '.webp?scale=4', '.png?scale=7'])
        targets.push(path.replace('.png', asked))
    const answers = await whileAttacked(waymark(), 'large pictures', bystander, COST, () =>
      Promise.all(targets.map((target) => call(waymark(), 'GET', target))),
    )
    memory.stop()
    const statuses = answers.map(({ status }, at) => `${targets[at]?.split('?')[1]}: ${status}`)
    console.log(`large pictures: peak ${memory.peak().toFixed(0)} MB`, [...new Set(statuses)])
    expect(answers.filter(({ status }) => ![200, 422, 503].includes(status))).toEqual([])
    for (const { headers } of answers.filter(({ status }) => status === 503))
      expect([headers['retry-after'], headers['etag']]).toEqual([expect.any(String), undefined])
    expect(memory.peak()).toBeLessThan(MAX_MEGABYTES)
    const drawn = () => call(waymark(), 'GET', `${paths[1]}?scale=3`)
    expect((await until(drawn, ({ status }) => status === 200)).status).toBe(200)
  })

  it('many dense codes of one account leave turns to the single codes of another', async () => {
    const account = await waymark().account()
    const finished: string[] = []
    const generate = async (
      by: Bystander['account'],
      method: string,
      fields: Record<string, unknown>,
      name: string,
    ) => {
      const { status } = await post(waymark(), by, `/v1/${method}`, fields)
      expect([name, status]).toEqual([name, 201])
      finished.push(name)
    }
    const code = (n: number) => ({ url: `https://example.com/${n}/${'a'.repeat(1500)}`, pattern: 'squares' })
    const qrcodes = Array.from({ length: 24 }, (_, n) => code(n))
    const small = { url: 'https://a.example/', pattern: 'squares' }
    const single = () => generate(bystander.account, 'generate-qr', small, 'single')
    // Each of the three threads loads its decoders with its first code.
    await Promise.all([single(), ...[1, 2].map((n) => generate(account, 'generate-qr', code(n), 'first'))])
    finished.length = 0
    const dense = Promise.all([
      generate(account, 'generate-codes', { qrcodes }, 'many'),
      ...qrcodes.map((fields) => generate(account, 'generate-qr', fields, 'dense')),
    ])
    await expect.poll(() => finished).not.toEqual([])
    for (let n = 0; n < 2; n++) await single()
    expect(finished.filter((name) => name === 'dense').length).toBeLessThan(12)
    expect(finished).not.toContain('many')
    await dense
  })

  it('clients that do not read a large picture hold one copy of it, and it is gone when its account is', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
    const create = { width: 2500, height: 2500, channels: 3, background: '#888', noise } as const
    const photo = await sharp({ create }).jpeg({ quality: 40 }).toBuffer()
    const account = await waymark().account()
    const parts = [{ name: 'image', value: photo, filename: 'a.jpg', type: 'image/jpeg' }]
    const { body } = await post(waymark(), account, '/v1/update-personal-info', multipart(parts))
    const path = new URL(body.data.image as string).pathname
    const memory = watchMemory(waymark())
    const sockets = Array.from({ length: 240 }, () => connect(waymark().port, 'localhost'))
    for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await Promise.all(sockets.map((socket) => once(socket, 'readable')))
    expect((await post(waymark(), account, '/v1/remove-account', { reason: 'done' })).status).toBe(200)
    expect((await call(waymark(), 'GET', path)).status).toBe(410)
    memory.stop()
    for (const socket of sockets) socket.destroy()
    console.log(`a picture that is not read: peak ${memory.peak().toFixed(0)} MB`)
    expect(memory.peak()).toBeLessThan(MAX_MEGABYTES)
  })

  it('a scale that is wrong or makes more than 16 megapixels is 422', async () => {
    for (const scale of ['0', '9', '1.5', 'x', '0x1', '1e0', '1.0', '%201', '', '1&scale=1', '4', '7']) {
      const { status, body } = await call(waymark(), 'GET', `${paths[0]}?scale=${scale}`)
      expect([scale, status]).toEqual([scale, 422])
      expect(JSON.parse(JSON.stringify(body)).errors.scale).toHaveLength(1)
    }
    expect((await call(waymark(), 'GET', `${paths[0]}?scale=1`)).status).toBe(200)
  })
})
