import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CodeContent, contentLabel, contentPayload } from './content.ts'

// Parsers written from the standards alone: they must restore what was written.

const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(
  // oxlint-disable-next-line no-control-regex -- these are the characters to leave out
  (text) => !/[\u0000-\u001f\u007f\u2028\u2029]/.test(text) && text.isWellFormed(),
)
const nasty = fc
  .array(fc.constantFrom(...Array.from(String.raw`\;,:"'=%&?#+ aZ9é漢😀`)), { minLength: 1, maxLength: 30 })
  .map((parts) => parts.join(''))
const word = fc.oneof(line, nasty)
const block = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('\n'))
  .filter((text) => text.isWellFormed())
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const number = fc.stringMatching(/^\+?[0-9]{3,15}$/)

/** Splits at unescaped separators, and removes the backslashes. */
function split(text: string, separator: string): string[] {
  const parts = ['']
  for (let at = 0; at < text.length; at++) {
    const escaped = text[at] === '\\' ? text[++at] : undefined
    if (escaped === undefined && text[at] === separator) parts.push('')
    else parts[parts.length - 1] += escaped === 'n' ? '\n' : (escaped ?? text[at] ?? '')
  }
  return parts
}

/** Properties of a vCard or iCalendar object. */
function properties(payload: string): Map<string, string> {
  expect(payload.endsWith('\r\n')).toBe(true)
  const pairs = payload
    .slice(0, -2)
    .split('\r\n')
    .map((text) => /^([^:]+):([^\r\n]*)$/.exec(text) ?? ['', '', ''])
  return new Map(pairs.map(([, name = '', value = '']) => [name, value]))
}

const textOf = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : split(value, '\0')[0]

function readWifi(payload: string): CodeContent {
  const fields: Record<string, string> = {}
  let at = 'WIFI:'.length
  while (payload[at] !== ';') {
    const colon = payload.indexOf(':', at)
    const name = payload.slice(at, colon)
    let value = ''
    for (at = colon + 1; payload[at] !== ';'; at++) value += payload[payload[at] === '\\' ? ++at : at]
    fields[name] = value
    at++
  }
  const { T, S = '', P, H } = fields
  return {
    type: 'wifi',
    ssid: S,
    password: P,
    security: T === 'nopass' ? 'none' : (T as 'WPA' | 'WEP'),
    hidden: H === 'true',
  }
}

const runs = { numRuns: 400 }

describe('payloads are parsed to the same fields', () => {
  test('wifi', () => {
    const wifi = fc.record({
      type: fc.constant('wifi' as const),
      ssid: word,
      password: word,
      security: fc.constantFrom('WPA' as const, 'WEP' as const),
      hidden: fc.boolean(),
    })
    fc.assert(
      fc.property(wifi, (content) => {
        const payload = contentPayload(content)
        expect(payload).toMatch(/^WIFI:T:(?:WPA|WEP);S:/)
        expect(readWifi(payload)).toEqual(content)
      }),
      runs,
    )
  })

  test('contact', () => {
    const given = maybe(word)
    const contact = fc.record({
      first_name: given,
      last_name: word,
      organisation: given,
      title: given,
      phone: maybe(number),
      mobile: maybe(number),
      street: given,
      city: given,
      postcode: given,
      country: given,
      note: maybe(block),
      website: maybe(fc.webUrl({ withQueryParameters: true })),
    })
    fc.assert(
      fc.property(contact, (fields) => {
        const read = properties(contentPayload({ type: 'contact', ...fields }))
        expect(read.get('VERSION')).toBe('3.0')
        const [last_name, first_name = ''] = split(read.get('N') ?? '', ';')
        const address = split(read.get('ADR') ?? '', ';')
        const [, , street = '', city = '', , postcode = '', country = ''] = address
        expect({
          last_name,
          first_name,
          organisation: textOf(read.get('ORG')),
          title: textOf(read.get('TITLE')),
          phone: read.get('TEL;TYPE=WORK,VOICE'),
          mobile: read.get('TEL;TYPE=CELL'),
          street,
          city,
          postcode,
          country,
          note: textOf(read.get('NOTE')),
          website: read.get('URL'),
        }).toEqual({
          ...fields,
          first_name: fields.first_name ?? '',
          street: fields.street ?? '',
          city: fields.city ?? '',
          postcode: fields.postcode ?? '',
          country: fields.country ?? '',
        })
        expect(textOf(read.get('FN'))).toBe([fields.first_name, fields.last_name].filter(Boolean).join(' '))
      }),
      runs,
    )
  })

  test('event', () => {
    const event = fc.record({
      title: word,
      starts_at: fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }),
      minutes: fc.integer({ min: 0, max: 100_000 }),
      location: maybe(word),
      description: maybe(block),
    })
    fc.assert(
      fc.property(event, ({ starts_at, minutes, ...fields }) => {
        const start = new Date(Math.floor(starts_at.getTime() / 1000) * 1000)
        const end = new Date(start.getTime() + minutes * 60_000)
        const payload = contentPayload({
          type: 'event',
          ...fields,
          starts_at: start.toISOString(),
          ends_at: end.toISOString(),
        })
        const read = properties(payload)
        const stamp = (date: Date) => `${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
        expect(read.get('DTSTART')).toBe(stamp(start))
        expect(read.get('DTEND')).toBe(minutes === 0 ? undefined : stamp(end))
        expect({
          title: textOf(read.get('SUMMARY')),
          location: textOf(read.get('LOCATION')),
          description: textOf(read.get('DESCRIPTION')),
        }).toEqual(fields)
      }),
      runs,
    )
  })

  test('email', () => {
    const to = fc.emailAddress()
    fc.assert(
      fc.property(to, maybe(word), maybe(block), (address, subject, body) => {
        const url = new URL(contentPayload({ type: 'email', to: address, subject, body }))
        expect(decodeURIComponent(url.pathname)).toBe(address)
        const fields = new Map(
          url.search
            .slice(1)
            .split('&')
            .filter((field) => field !== '')
            .map((field) => field.split('=').map(decodeURIComponent) as [string, string]),
        )
        expect([fields.get('subject'), fields.get('body')?.replaceAll('\r\n', '\n')]).toEqual([subject, body])
      }),
      runs,
    )
  })

  test('sms, phone, location and text', () => {
    const degrees = (most: number) => fc.integer({ min: -most * 1e7, max: most * 1e7 }).map((at) => at / 1e7)
    fc.assert(
      fc.property(number, block, degrees(90), degrees(180), (called, text, latitude, longitude) => {
        const sms = /^SMSTO:([^:]*):([\s\S]*)$/.exec(
          contentPayload({ type: 'sms', number: called, message: text }),
        )
        expect(sms?.slice(1)).toEqual([called, text])
        expect(contentPayload({ type: 'phone', number: called })).toBe(`tel:${called}`)
        const geo = /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(
          contentPayload({ type: 'location', latitude, longitude }),
        )
        expect(geo?.slice(1).map(Number)).toEqual([latitude, longitude].map((value) => value + 0))
        expect(contentPayload({ type: 'text', text })).toBe(text)
      }),
      runs,
    )
  })

  test('sepa', () => {
    const cents = maybe(fc.integer({ min: 1, max: 99_999_999_999 }))
    fc.assert(
      fc.property(word, cents, maybe(word), (name, amount, text) => {
        const payload = contentPayload({
          type: 'sepa',
          name,
          iban: 'DE89370400440532013000',
          amount: amount === undefined ? undefined : amount / 100,
          text,
        })
        const [service, version, set, kind, bic, ...rest] = payload.split('\n')
        expect([service, version, set, kind, bic]).toEqual(['BCD', '002', '1', 'SCT', ''])
        const [readName, iban, value = '', purpose = '', reference = '', readText] = rest
        expect([readName, iban, purpose, reference, readText]).toEqual([
          name,
          'DE89370400440532013000',
          '',
          '',
          text,
        ])
        expect(value === '' ? undefined : Math.round(Number(value.slice(3)) * 100)).toBe(amount)
        if (value !== '') expect(value).toMatch(/^EUR\d+\.\d\d$/)
      }),
      runs,
    )
  })
})

test.each<[CodeContent, string]>([
  [
    { type: 'wifi', ssid: 'a;b', password: String.raw`x;,:\"😀`, hidden: true },
    String.raw`WIFI:T:WPA;S:a\;b;P:x\;\,\:\\\"😀;H:true;;`,
  ],
  [{ type: 'wifi', ssid: 'Open' }, 'WIFI:T:nopass;S:Open;;'],
  [{ type: 'phone', number: '+44 (1632) 960-001' }, 'tel:+441632960001'],
  [{ type: 'phone', number: '+44 (0)20 7946 0000' }, 'tel:+442079460000'],
  [{ type: 'phone', number: '(020) 7946 0000' }, 'tel:02079460000'],
  [{ type: 'sms', number: '+44 1632 960001' }, 'SMSTO:+441632960001:'],
  [{ type: 'location', latitude: -0.0000001, longitude: 180 }, 'geo:-0.0000001,180'],
  [{ type: 'email', to: 'a+b@example.com' }, 'mailto:a+b@example.com'],
  [
    { type: 'sepa', name: 'Red Cross', iban: 'BE72000000001616', bic: 'BPOTBEB1', amount: 999_999_999.99 },
    'BCD\n002\n1\nSCT\nBPOTBEB1\nRed Cross\nBE72000000001616\nEUR999999999.99',
  ],
])('%j is %j', (content, payload) => expect(contentPayload(content)).toBe(payload))

test('an all-day event ends the day after its last, and time zones become UTC', () => {
  const days = contentPayload({
    type: 'event',
    title: 'Fair',
    starts_at: '2026-12-30',
    ends_at: '2026-12-31',
  })
  expect(days).toContain('DTSTART;VALUE=DATE:20261230\r\nDTEND;VALUE=DATE:20270101\r\n')
  const zoned = { type: 'event', title: 'Talk', starts_at: '2026-12-30T19:30:00+01:00' } as const
  expect(contentPayload(zoned)).toContain('DTSTART:20261230T183000Z\r\n')
  expect(contentPayload({ ...zoned, starts_at: '2026-12-30T19:30' })).toContain(
    'DTSTART:20261230T193000Z\r\n',
  )
  expect(contentPayload(zoned)).toBe(contentPayload(zoned))
  // RFC 5545 requires an end later than the start.
  expect(contentPayload({ ...zoned, ends_at: '2026-12-30T18:30:00.9Z' })).not.toContain('DTEND')
})

test('a content has a short name', () => {
  expect(contentLabel({ type: 'wifi', ssid: 'Guests' })).toBe('Wi-Fi: Guests')
  expect(contentLabel({ type: 'contact', first_name: 'Ada', last_name: 'Lovelace' })).toBe(
    'Contact: Ada Lovelace',
  )
  expect(contentLabel({ type: 'location', latitude: 0, longitude: 1.5 })).toBe('Location: 0, 1.5')
})
