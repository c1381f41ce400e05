import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { utmOf } from '../attributes/headers.ts'
import { decodeFrames, END_FRAME, encodeClick, FRAME_HEADER_BYTES, sealFrame } from './record.ts'
import type { Click, ClickKind } from './record.ts'

const click: Click = {
  atMs: 1_794_700_000_000,
  kind: 'link',
  resourceUuid: '019a0000-0000-7000-8000-000000000001',
  detail: '',
  address: '203.0.113.9',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  referrer: 'https://example.com/a?b=c',
  prefetch: false,
}

function frame(...clicks: Click[]): Buffer {
  const payload = clicks.map(encodeClick).join('')
  const bytes = Buffer.alloc(FRAME_HEADER_BYTES + payload.length)
  bytes.write(payload, FRAME_HEADER_BYTES, 'latin1')
  sealFrame(bytes, payload.length)
  return bytes
}

const another = (n: number): Click => ({ ...click, atMs: click.atMs + n })

describe('records', () => {
  test('are decoded as they were encoded, with any header value', () => {
    const headerValue = fc.string({ unit: fc.constantFrom(...headerChars()), maxLength: 200 })
    const anyClick = fc.record<Click>({
      atMs: fc.integer({ min: 1, max: 9_999_999_999_999 }),
      kind: fc.constantFrom<ClickKind[]>('link', 'page', 'button', 'icon'),
      resourceUuid: fc.uuid(),
      detail: fc.string({ unit: fc.constantFrom('a', 'b', ' ', '0', '-', '_'), maxLength: 20 }),
      address: fc.oneof(fc.ipV4(), fc.ipV6()),
      userAgent: headerValue,
      referrer: headerValue,
      prefetch: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(anyClick, { minLength: 1, maxLength: 5 }), (clicks) => {
        const bytes = frame(...clicks)
        expect(decodeFrames(bytes, 100)).toEqual({
          clicks,
          ended: false,
          consumedBytes: bytes.length,
          damagedBytes: 0,
        })
      }),
      { numRuns: 50 },
    )
  })

  test('encode that a redirect of a click limit was used', () => {
    const limited = { ...click, limited: true }
    expect(decodeFrames(frame(limited, click), 10).clicks).toEqual([limited, click])
  })

  test('encode the rule or variant that was used', () => {
    const routed = [
      { ...click, rule: '0' },
      { ...click, rule: 'android' },
      { ...click, variant: 'Größer \u0001 \n 😀' },
      { ...click, rule: '19', variant: '' },
      click,
    ]
    expect(decodeFrames(frame(...routed), 10).clicks).toEqual(routed)
  })

  test('encode language, UTM parameters and scans', () => {
    const told = [
      { ...click, acceptLanguage: 'fr-CA,fr;q=0.9', utmQuery: 'utm_source=a&utm_medium=b%20c' },
      { ...click, rule: '1', scanned: true },
      { ...click, acceptLanguage: 'de', scanned: true, utmQuery: 'utm_campaign=q' },
    ]
    expect(decodeFrames(frame(...told), 10).clicks).toEqual(told)
    const long = frame({ ...click, acceptLanguage: 'x'.repeat(500) })
    expect(decodeFrames(long, 10).clicks[0]?.acceptLanguage).toHaveLength(64)
  })

  const campaign = { source: '', medium: 'mail', campaign: 'spring + sale' }
  test.each<[string, string, string]>([
    ['letters beyond ASCII', encodeURIComponent('é'.repeat(255)), 'é'.repeat(100)],
    ['characters of two code units', encodeURIComponent('😀'.repeat(255)), '😀'.repeat(100)],
    ['plain letters', 's'.repeat(2_000), 's'.repeat(100)],
    ['invalid escapes', '%'.repeat(700), '%'.repeat(100)],
    ['bytes that are not UTF-8', '%FF'.repeat(255), '\ufffd'.repeat(100)],
    ['blanks as plus signs', '+'.repeat(700), ' '.repeat(100)],
    ['control characters', `${'%00'.repeat(255)}a%0a%1b%C2%9bb%E2%80%A8c`, 'abc'],
  ])('keep each UTM parameter of a long query, cut after 100 characters: %s', (_, sent, source) => {
    const rest = 'utm_medium=mail&utm_campaign=spring+%2B+sale&utm_source=second'
    for (const before of ['', `x=${'y'.repeat(3_000)}&`]) {
      const long = frame({ ...click, utmQuery: `${before}utm_source=${sent}&${rest}` })
      const [read] = decodeFrames(long, 10).clicks
      expect(utmOf(read?.utmQuery)).toEqual({ ...campaign, source })
      expect(long.length).toBeLessThan(4_500)
    }
  })

  test('truncate long headers', () => {
    const { clicks } = decodeFrames(
      frame({ ...click, userAgent: 'x'.repeat(5_000), referrer: 'y'.repeat(5_000) }),
      10,
    )
    expect([clicks[0]?.userAgent.length, clicks[0]?.referrer.length]).toEqual([512, 300])
  })

  test('keep a detail within its field', () => {
    const { clicks } = decodeFrames(frame({ ...click, detail: 'a\x01b\nc\u{1f600}' }), 10)
    expect(clicks).toHaveLength(1)
    expect(clicks[0]?.detail).toMatch(/^a\?b\?c\?+$/)
  })

  test('ignore fields of later versions', () => {
    const payload = encodeClick(click).replace('\n', '\x01more\n')
    const bytes = Buffer.alloc(FRAME_HEADER_BYTES + payload.length)
    bytes.write(payload, FRAME_HEADER_BYTES, 'latin1')
    sealFrame(bytes, payload.length)
    expect(decodeFrames(bytes, 10).clicks).toEqual([click])
  })
})

describe('frames', () => {
  test('a last frame truncated at any byte is not read, and everything before it is', () => {
    const whole = frame(another(1), another(2))
    const last = frame(another(3))
    for (let cut = 0; cut < last.length; cut++) {
      const read = decodeFrames(Buffer.concat([whole, last.subarray(0, cut)]), 100)
      expect(read).toEqual({
        clicks: [another(1), another(2)],
        ended: false,
        consumedBytes: whole.length,
        damagedBytes: 0,
      })
    }
  })

  test('a complete last frame with a wrong checksum is not read either', () => {
    const last = frame(another(3))
    last[last.length - 3] = 0
    const read = decodeFrames(Buffer.concat([frame(another(1)), last]), 100)
    expect(read.clicks).toEqual([another(1)])
  })

  test('damage in the middle loses only its own frame', () => {
    const [first, second, third] = [frame(another(1)), frame(another(2)), frame(another(3))]
    second[20] = 0xff
    const read = decodeFrames(Buffer.concat([first, second, third]), 100)
    expect(read.clicks).toEqual([another(1), another(3)])
    expect(read.damagedBytes).toBe(second.length)
    expect(read.consumedBytes).toBe(first.length + second.length + third.length)
  })

  test('an overwritten length loses only its own frame', () => {
    const [first, second] = [frame(another(1)), frame(another(2))]
    first.writeUInt32BE(0xff_ff_ff_ff, 4)
    expect(decodeFrames(Buffer.concat([first, second]), 100).clicks).toEqual([another(2)])
  })

  test('an empty frame marks the end', () => {
    const bytes = Buffer.concat([frame(another(1)), END_FRAME])
    expect(decodeFrames(bytes, 100)).toMatchObject({
      clicks: [another(1)],
      ended: true,
      consumedBytes: bytes.length,
    })
  })

  test('stops between frames when enough is read', () => {
    const [first, second] = [frame(another(1), another(2)), frame(another(3))]
    const read = decodeFrames(Buffer.concat([first, second]), 1)
    expect(read.clicks).toEqual([another(1), another(2)])
    expect(read.consumedBytes).toBe(first.length)
  })
})

function headerChars(): string[] {
  const codes = [
    0x09,
    ...Array.from({ length: 0x100 - 0x20 }, (_, i) => i + 0x20).filter((code) => code !== 0x7f),
  ]
  return codes.map((code) => String.fromCharCode(code))
}
