import { expect, it } from 'vitest'
import { needScanners } from '../scripts/services/scanners.ts'
import { get, post, urlencoded } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const wifi = { type: 'wifi', ssid: 'Café; 5 GHz', password: String.raw`a;b,c:d\e"f😀`, security: 'WPA' }

/** A content of every type, and what its code says. */
const contents: [content: Record<string, unknown>, encodes: string | RegExp][] = [
  [{ ...wifi, hidden: true }, String.raw`WIFI:T:WPA;S:Café\; 5 GHz;P:a\;b\,c\:d\\e\"f😀;H:true;;`],
  [{ type: 'wifi', ssid: 'Open', security: 'none' }, 'WIFI:T:nopass;S:Open;;'],
  [
    {
      type: 'contact',
      first_name: 'Ève',
      last_name: 'Müller; Söhne',
      organisation: 'A, B',
      mobile: '+49 30 1',
    },
    /^BEGIN:VCARD\r\nVERSION:3\.0\r\nN:Müller\\; Söhne;Ève;;;\r\nFN:Ève Müller\\; Söhne\r\nORG:A\\, B\r\nTEL;TYPE=CELL:\+49301\r\nEND:VCARD\r\n$/,
  ],
  [
    { type: 'event', title: 'Fête', starts_at: '2027-06-01T20:00:00+02:00', ends_at: '2027-06-01T21:30:00Z' },
    /DTSTART:20270601T180000Z\r\nDTEND:20270601T213000Z\r\nSUMMARY:Fête\r\n/,
  ],
  [
    { type: 'email', to: 'me@example.com', subject: 'Hi & bye' },
    'mailto:me@example.com?subject=Hi%20%26%20bye',
  ],
  [{ type: 'sms', number: '+44 1632 960001', message: 'Yes: 1' }, 'SMSTO:+441632960001:Yes: 1'],
  [{ type: 'phone', number: '+441632960001' }, 'tel:+441632960001'],
  [{ type: 'location', latitude: 51.5007, longitude: -0.1246 }, 'geo:51.5007,-0.1246'],
  [{ type: 'text', text: 'Größe: 日本 😀\nline 2' }, 'Größe: 日本 😀\nline 2'],
  [
    {
      type: 'sepa',
      name: 'Müller',
      iban: 'DE89 3704 0044 0532 0130 00',
      amount: 999_999_999.99,
      text: 'Danke',
    },
    'BCD\n002\n1\nSCT\n\nMüller\nDE89370400440532013000\nEUR999999999.99\n\n\nDanke',
  ],
]

/** A value without the backslashes before the characters that its standard escapes. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/gsu, (_, mark: string) => (mark === 'n' ? '\n' : mark))
const parted = (text: string, separator: RegExp): string[] => text.split(separator).map(unescaped)
const UNESCAPED_SEMICOLON = /(?<=(?:^|[^\\])(?:\\\\)*);/u

/** The properties of a vCard or iCalendar object, by name without parameters. */
const properties = (payload: string): Record<string, string> =>
  Object.fromEntries(payload.split('\r\n').map((line) => /^([A-Z]+)[^:]*:(.*)$/su.exec(line)?.slice(1) ?? []))

const instant = (stamp: string | undefined): string | undefined =>
  stamp?.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')

/** What an app makes of the text that its scanner read: the fields, by the standard of each type. */
const parsers: Readonly<Record<string, (payload: string) => Record<string, unknown>>> = {
  wifi: (payload) => {
    const fields = payload.slice('WIFI:'.length).split(UNESCAPED_SEMICOLON)
    const read = Object.fromEntries(fields.map((field) => [field.slice(0, 1), unescaped(field.slice(2))]))
    const { T, S, P, H } = read
    return { ssid: S, password: P, security: T === 'nopass' ? 'none' : T, hidden: H && H === 'true' }
  },
  contact: (payload) => {
    const { N = '', ORG = '', TEL } = properties(payload)
    const [last_name, first_name] = parted(N, UNESCAPED_SEMICOLON)
    return { first_name, last_name, organisation: unescaped(ORG), mobile: TEL }
  },
  event: (payload) => {
    const { SUMMARY = '', DTSTART, DTEND } = properties(payload)
    return { title: unescaped(SUMMARY), starts_at: instant(DTSTART), ends_at: instant(DTEND) }
  },
  email: (payload) => {
    const { pathname, searchParams } = new URL(payload)
    return { to: pathname, subject: searchParams.get('subject') }
  },
  sms: (payload) => {
    const [, number, message] = /^SMSTO:([^:]*):(.*)$/su.exec(payload) ?? []
    return { number, message }
  },
  phone: (payload) => ({ number: payload.slice('tel:'.length) }),
  location: (payload) => {
    const [latitude, longitude] = payload.slice('geo:'.length).split(',').map(Number)
    return { latitude, longitude }
  },
  text: (payload) => ({ text: payload }),
  sepa: (payload) => {
    const [, , , , , name, iban, amount, , , text] = payload.split('\n')
    return { name, iban, amount: Number(amount?.slice('EUR'.length)), text }
  },
}

/** A content in the form that its standard has: numbers without spaces, times in UTC. */
const standardForm = (content: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(content)
      .filter(([name]) => name !== 'type')
      .map(([name, value]) => {
        if (typeof value !== 'string') return [name, value]
        if (name.endsWith('_at')) return [name, new Date(value).toISOString().replace('.000', '')]
        return [name, ['iban', 'mobile', 'number'].includes(name) ? value.replaceAll(' ', '') : value]
      }),
  )

const long = 'x'.repeat(1500)

/** Contents that break a rule, the fields that are wrong, and a part of the message. */
const wrong: [content: unknown, field: string, message: RegExp][] = [
  [{ type: 'wifi', ssid: 'a', password: 'x'.repeat(64) }, 'content.password', /64 hexadecimal/],
  [{ type: 'wifi', ssid: 'a', password: 'short' }, 'content.password', /8 to 63/],
  [{ type: 'wifi', ssid: 'é'.repeat(17) }, 'content.ssid', /32 bytes/],
  [{ type: 'wifi', ssid: 'a', password: '12345678', security: 'none' }, 'content.password', /no password/],
  [{ type: 'wifi', ssid: 'a', password: '1234', security: 'WEP' }, 'content.password', /WEP/],
  [{ type: 'contact', phone: '+44 1632 960001' }, 'content.first_name', /needs a first name/],
  [{ type: 'contact', last_name: 'A', note: `${long}${long}` }, 'content', /takes 30\d\d bytes.*2331/],
  [{ type: 'contact', organisation: 'x'.repeat(3000) }, 'content', /takes 60\d\d bytes.*2331/],
  [{ type: 'text', text: 'ä'.repeat(1500) }, 'content', /takes 3000 bytes.*2330$/],
  [{ type: 'text', text: 'x'.repeat(9000) }, 'content', /takes 9000 bytes/],
  [
    { type: 'sepa', name: 'é'.repeat(60), iban: 'DE89370400440532013000', text: 'é'.repeat(100) },
    'content',
    /takes 3\d\d bytes.*330$/,
  ],
  [{ type: 'sepa', name: 'A', iban: 'DE88370400440532013000' }, 'content.iban', /valid IBAN/],
  [{ type: 'sepa', name: 'A', iban: 'DE89370400440532013000', amount: 0 }, 'content.amount', /0\.01/],
  [
    { type: 'sepa', name: 'A', iban: 'DE89370400440532013000', amount: 1e9 },
    'content.amount',
    /999999999\.99/,
  ],
  [{ type: 'sepa', name: 'A', iban: 'DE89370400440532013000', amount: 0.005 }, 'content.amount', /0\.01/],
  [
    { type: 'sepa', name: 'A', iban: 'DE89370400440532013000', amount: 1.005 },
    'content.amount',
    /two decimals/,
  ],
  [
    { type: 'sepa', name: 'A', iban: 'DE89370400440532013000', reference: 'RF18539007547034', text: 'b' },
    'content.text',
    /not both/,
  ],
  [
    { type: 'event', title: 'A', starts_at: '2027-01-02', ends_at: '2027-01-01' },
    'content.ends_at',
    /before/,
  ],
  [
    // Ten o'clock in Berlin is nine o'clock UTC.
    { type: 'event', title: 'A', starts_at: '2027-01-01T09:30:00Z', ends_at: '2027-01-01T10:00:00+01:00' },
    'content.ends_at',
    /before/,
  ],
  [
    { type: 'event', title: 'A', starts_at: '2027-01-01', ends_at: '2027-01-01T10:00' },
    'content.ends_at',
    /a day/,
  ],
  // Years have four digits in iCalendar, and the end of a day is the day after.
  [{ type: 'event', title: 'A', starts_at: '9999-12-31' }, 'content.starts_at', /YYYY-MM-DD/],
  [{ type: 'event', title: 'A', starts_at: '0001-01-01T00:00+01:00' }, 'content.starts_at', /YYYY-MM-DD/],
  [{ type: 'phone', number: 'call me' }, 'content.number', /phone number/],
  [{ type: 'location', latitude: 91, longitude: 0 }, 'content.latitude', /at most 90/],
  [{ type: 'magic' }, 'content.type', /wifi, contact/],
  [{}, 'content.type', /required/],
  ['WIFI:S:a;;', 'content', /object/],
]

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const generate = async (fields: Record<string, unknown>) =>
    post(waymark(), await account(), '/v1/generate-qr', { pattern: 'squares', ...fields })
  const edit = async (fields: Record<string, unknown>) =>
    post(waymark(), await account(), '/v1/edit-qr', fields)

  it('every content is read by ZXing and ZBar, and parsed to the fields that were sent', async () => {
    const { zxing, zbar } = await needScanners()
    for (const [content, encodes] of contents) {
      const { status, body } = await generate({ content })
      expect([content, status]).toEqual([content, 201])
      const { data } = body
      const iban = typeof content['iban'] === 'string' && { iban: content['iban'].replaceAll(' ', '') }
      expect(data).toMatchObject({
        url: null,
        dynamic: false,
        short_url: null,
        content: { ...content, ...iban },
      })
      if (typeof encodes === 'string') expect(data.encodes).toBe(encodes)
      else expect(data.encodes).toMatch(encodes)
      const picture = Buffer.from(await (await fetch(data.image_url)).arrayBuffer())
      const read = [await zxing(picture), await zbar(picture)]
      expect(read).toEqual([data.encodes, data.encodes])
      for (const text of read)
        expect(parsers[String(content['type'])]?.(text ?? '')).toMatchObject(standardForm(content))
    }
  })

  it('a form sends the same fields with brackets', async () => {
    const form = urlencoded({
      pattern: 'squares',
      'content[type]': 'wifi',
      'content[ssid]': 'Guests',
      'content[password]': '12345678',
      'content[hidden]': 'true',
    })
    const { status, body } = await post(waymark(), await account(), '/v1/generate-qr', form)
    expect([status, body.data.encodes]).toEqual([201, 'WIFI:T:WPA;S:Guests;P:12345678;H:true;;'])
  })

  it.each([63, 64])('a password of %i characters', async (length) => {
    const content = { type: 'wifi', ssid: 'a', password: '0aF9'.repeat(16).slice(0, length) }
    expect((await generate({ content })).status).toBe(201)
  })

  it('every wrong field is named, with what to do', async () => {
    for (const [content, field, message] of wrong) {
      const { status, body } = await generate({ content })
      expect([content, status, Object.keys(body.errors ?? {})]).toEqual([content, 422, [field]])
      expect(body.errors[field][0]).toMatch(message)
    }
    const content = { type: 'phone', number: '112' }
    expect((await generate({ content, url: 'https://example.com' })).body.errors).toHaveProperty('content')
    expect((await generate({ content, dynamic: true })).body.errors).toHaveProperty('dynamic')
    expect((await generate({})).body.errors).toHaveProperty('url')
  })

  it('edits keep, replace and drop a content; a printed short link stays', async () => {
    const url = 'https://example.com/printed'
    const made = (await generate({ url, dynamic: true })).body.data
    const { uuid } = made
    expect((await edit({ uuid, content: wifi })).body.errors).toHaveProperty('dynamic')
    const held = (await edit({ uuid, content: wifi, dynamic: false })).body.data
    expect(held).toMatchObject({ url: null, content: wifi, short_url: made.short_url })
    const kept = (await edit({ uuid, color: '#003366' })).body.data
    expect(kept).toMatchObject({ content: wifi, encodes: held.encodes })
    expect((await edit({ uuid, dynamic: true })).body.errors).toHaveProperty('dynamic')
    // Not what a response shows, although the network has the same name and security.
    const { ssid, security } = wifi
    expect((await edit({ uuid, content: { type: 'wifi', ssid, security } })).body.errors).toHaveProperty([
      'content.password',
    ])
    expect((await fetch(made.short_url, { redirect: 'manual' })).headers.get('location')).toBe(url)
    const back = (await edit({ uuid, url, dynamic: true })).body.data
    expect(back).toMatchObject({ url, content: null, encodes: made.short_url })
  })

  it('says that a content does not fit together with other invalid fields', async () => {
    const iban = 'DE89 3704 0044 0532 0130 00'
    const sepa = { type: 'sepa', name: 'é'.repeat(60), iban, text: 'é'.repeat(84) }
    const errorsOf = async (content: object) =>
      Object.keys((await generate({ content, size: 1 })).body.errors).sort()
    expect(await errorsOf({ ...sepa, text: 'é'.repeat(100) })).toEqual(['content', 'size'])
    // 330 bytes without the spaces of the number.
    expect((await generate({ content: sepa })).body.data.encodes).toHaveLength(186)
    expect(await errorsOf(sepa)).toEqual(['size'])
  })

  it('the key alone sees the type of a content, and finds nothing else out', async () => {
    const { uuid, image_url } = (await generate({ content: wifi, description: 'Lobby' })).body.data
    const { apiKey } = await account()
    const list = async (query: string) =>
      (await (
        await fetch(`${waymark().url}/v1/qrcode?${query}`, { headers: { 'x-api-key': apiKey } })
      ).json()) as {
        data: Record<string, string>[]
      }
    const [shown] = (await list(`uuid=${uuid}`)).data
    expect(shown).toMatchObject({ content: { type: 'wifi' }, encodes: null, url: null, description: 'Lobby' })
    expect(JSON.stringify(shown)).not.toContain('GHz')
    // The picture says it all, so that its address is not given away either.
    for (const field of ['image_url', 'svg_url']) expect((await fetch(shown?.[field] ?? '')).status).toBe(404)
    expect((await fetch(image_url)).status).toBe(200)
    expect((await list('search=GHz')).data).toEqual([])
    expect((await list('search=lobby')).data).toHaveLength(1)
    const found = await get(waymark(), await account(), '/v1/qrcode?search=ghz')
    expect(found.body.data.map((code: { uuid: string }) => code.uuid)).toContain(uuid)
    const signed = await get(waymark(), await account(), `/v1/qrcode?uuid=${uuid}`)
    expect(signed.body.data[0]).toMatchObject({ content: wifi, image_url })
  })
})
