import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { needProgram } from '../scripts/services/programs.ts'
import { decode } from './support/decode.ts'
import { get, multipart, type Part, post, sign } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const url = 'https://example.com/where?x=1'

const picture = (width: number, height: number, background = '#d03030') =>
  sharp({ create: { width, height, channels: 3, background } })

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const call = async (path: string, body: Parameters<typeof post>[3]) =>
    post(waymark(), await account(), path, body)
  const qr = (fields: Record<string, unknown>) =>
    call('/v1/generate-qr', { url, pattern: 'squares', ...fields })
  const barcode = (fields: Record<string, unknown>) => call('/v1/generate-barcode', { url, ...fields })
  const bytesOf = async (address: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(address)).arrayBuffer())
  const read = async (address: string): Promise<string | undefined> => decode(await bytesOf(address))

  describe('QR codes', () => {
    it('take shapes, eyes and a frame, keep them on edit, and are still read', async () => {
      const look = { style: 'classy', eye_style: 'circle', frame: 'Scan me' }
      const { status, body } = await qr(look)
      expect(status).toBe(201)
      expect(body.data).toMatchObject({ ...look, pattern: 'squares', warnings: [] })
      expect(await read(body.data.image_url)).toBe(url)
      const { uuid } = body.data
      const kept = await call('/v1/edit-qr', { uuid, color: '#003366' })
      expect(kept.body.data).toMatchObject(look)
      const cleared = await call('/v1/edit-qr', { uuid, style: null, eye_style: null, frame: null })
      expect(cleared.body.data).toMatchObject({ style: null, eye_style: 'square', frame: null })
      const wrong = await qr({ style: 'stars', eye_style: 'heart', frame: 'x'.repeat(51) })
      expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['style', 'eye_style', 'frame']])
    })

    it('answer every field, with pictures that say what they should', async () => {
      const { status, body } = await qr({ description: 'd' })
      expect(status).toBe(201)
      expect(body.data).toMatchObject({
        url,
        description: 'd',
        size: 300,
        color: '#000000',
        eye_color: '#000000',
        background: '#ffffff',
        pattern: 'squares',
        logo: null,
        dynamic: false,
        encodes: url,
        short_url: null,
        scans: 0,
        warnings: [],
      })
      const { image_url, svg_url } = body.data
      expect(await read(image_url)).toBe(url)
      expect(await sharp(await bytesOf(image_url)).metadata()).toMatchObject({
        format: 'png',
        width: 300,
        height: 300,
      })
      expect(
        await decode(
          await sharp(await bytesOf(svg_url))
            .png()
            .toBuffer(),
        ),
      ).toBe(url)
    })

    it('are cached for ever with their version, and checked without', async () => {
      const { image_url } = (await qr({})).body.data
      const versioned = await fetch(image_url)
      expect(versioned.headers.get('cache-control')).toMatch(/immutable/)
      const etag = versioned.headers.get('etag') ?? ''
      const plain = image_url.replace(/\?.*/, '')
      expect((await fetch(plain)).headers.get('cache-control')).toBe('no-cache')
      expect((await fetch(plain, { headers: { 'if-none-match': etag } })).status).toBe(304)
    })

    it('come in every format and scale', async () => {
      const { image_url } = (await qr({ pattern: 'dots', color: '#123' })).body.data
      const types = { svg: 'image/svg+xml', png: 'image/png', webp: 'image/webp', pdf: 'application/pdf' }
      for (const [format, type] of Object.entries(types))
        expect((await fetch(`${image_url}&format=${format}`)).headers.get('content-type')).toBe(type)
      expect(await sharp(await bytesOf(`${image_url}&scale=3`)).metadata()).toMatchObject({ width: 900 })
      for (const query of ['scale=0', 'scale=9', 'scale=x', 'format=bmp'])
        expect((await fetch(`${image_url}&${query}`)).status).toBe(422)
    })

    it('take a logo by multipart, still read, and lose it with null', async () => {
      const logo = await picture(120, 120).png().toBuffer()
      const parts: Part[] = [
        { name: 'url', value: url },
        { name: 'pattern', value: 'dots' },
        { name: 'size', value: '400' },
        { name: 'eye_color', value: '#063' },
        { name: 'logo', value: logo, filename: 'logo.bin' },
      ]
      const made = await call('/v1/generate-qr', multipart(parts))
      expect(made.status).toBe(201)
      expect(made.body.data).toMatchObject({
        size: 400,
        eye_color: '#006633',
        logo: expect.stringMatching(/\/m\/[0-9a-f]{64}\.webp$/),
      })
      expect(await read(made.body.data.image_url)).toBe(url)
      const cleared = await call('/v1/edit-qr', { uuid: made.body.data.uuid, logo: null })
      expect(cleared.body.data).toMatchObject({ logo: null, size: 400, pattern: 'dots', url })
      expect(cleared.body.data.image_url).not.toBe(made.body.data.image_url)
      await expect.poll(async () => (await fetch(made.body.data.logo)).status).not.toBe(200)
    })

    it('take odd logos or say why not', async () => {
      const cases: [string, Buffer, number][] = [
        ['1 × 1', await picture(1, 1).png().toBuffer(), 201],
        [
          'transparent',
          await sharp({ create: { width: 50, height: 50, channels: 4, background: '#0000' } })
            .png()
            .toBuffer(),
          201,
        ],
        ['CMYK', await picture(60, 60).toColourspace('cmyk').jpeg().toBuffer(), 201],
        ['lies about its type', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422],
        ['WebP', await picture(60, 60).webp().toBuffer(), 422],
        ['GIF', await picture(60, 60).gif().toBuffer(), 422],
      ]
      for (const [name, bytes, status] of cases) {
        const parts: Part[] = [
          { name: 'url', value: url },
          { name: 'pattern', value: 'squares' },
          { name: 'logo', value: bytes, filename: 'logo.png', type: 'image/png' },
        ]
        const answer = await call('/v1/generate-qr', multipart(parts))
        expect([name, answer.status]).toEqual([name, status])
        if (status === 422) expect(answer.body.errors).toEqual({ logo: ['Must be a PNG or JPEG image'] })
        else expect([name, await read(answer.body.data.image_url)]).toEqual([name, url])
      }
    })

    it('warn of colours too faint to read', async () => {
      const { body, status } = await qr({ color: '#fefefe' })
      expect(status).toBe(201)
      expect(body.data.warnings).toContain('This picture could not be read back')
    })

    it('lead elsewhere after printing when they are dynamic', async () => {
      const made = (await qr({ dynamic: true })).body.data
      expect(made).toMatchObject({ dynamic: true, url, encodes: made.short_url })
      const before = await bytesOf(made.image_url)
      expect(await decode(before)).toBe(made.short_url)
      const visit = () =>
        fetch(made.short_url, {
          redirect: 'manual',
          headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Safari' },
        })
      expect((await visit()).headers.get('location')).toBe(url)
      const moved = (await call('/v1/edit-qr', { uuid: made.uuid, url: 'https://example.com/moved' })).body
        .data
      expect(moved).toMatchObject({ encodes: made.short_url, image_url: made.image_url })
      expect((await visit()).headers.get('location')).toBe('https://example.com/moved')
      expect((await bytesOf(moved.image_url)).equals(before)).toBe(true)
      const scans = async () =>
        (await get(waymark(), await account(), `/v1/qrcode?search=moved`)).body.data[0].scans
      await expect.poll(scans).toBe(2)
      const links = (await get(waymark(), await account(), `/v1/links?search=moved`)).body.data
      expect(links[0].owner).toEqual({ type: 'qrcode', uuid: made.uuid })
      const owned = { uuid: links[0].uuid, link: 'https://example.com/elsewhere' }
      expect((await call('/v1/edit-links', owned)).status).toBe(409)
      expect((await call('/v1/remove-links', owned)).status).toBe(409)
      expect((await call('/v1/remove-qr', { uuid: made.uuid })).status).toBe(200)
      expect((await visit()).status).toBe(410)
      expect((await fetch(made.image_url)).status).toBe(410)
    })

    it('keep what was printed working while dynamic is off', async () => {
      const { uuid, short_url, image_url } = (await qr({ dynamic: true })).body.data
      const edit = async (fields: Record<string, unknown>) =>
        (await call('/v1/edit-qr', { uuid, ...fields })).body.data
      const visit = () =>
        fetch(short_url, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Safari' } })
      const off = await edit({ dynamic: false })
      expect(off).toMatchObject({ dynamic: false, encodes: url, short_url })
      expect(await read(off.image_url)).toBe(url)
      expect((await visit()).headers.get('location')).toBe(url)
      const elsewhere = 'https://example.com/after-printing'
      expect(await edit({ url: elsewhere })).toMatchObject({ encodes: elsewhere, short_url })
      expect((await visit()).headers.get('location')).toBe(elsewhere)
      const scans = async () =>
        (await get(waymark(), await account(), `/v1/qrcode?uuid=${uuid}`)).body.data[0].scans
      await expect.poll(scans).toBe(2)
      expect(await edit({ dynamic: true })).toMatchObject({ encodes: short_url, short_url, image_url })
      await edit({ dynamic: false })
      await call('/v1/remove-qr', { uuid })
      expect((await visit()).status).toBe(410)
    })

    it('refuse a dynamic loop and an address that does not fit, and say what to do', async () => {
      expect((await qr({ dynamic: true, url: `${waymark().url}/abc` })).body.errors).toHaveProperty('url')
      expect((await qr({ url: `${waymark().url}/abc` })).status).toBe(201)
      const long = `https://example.com/${'a'.repeat(2000)}`
      const logo = { name: 'logo', value: await picture(9, 9).png().toBuffer(), filename: 'x.png' }
      const { status, body } = await call(
        '/v1/generate-qr',
        multipart([{ name: 'url', value: long }, { name: 'pattern', value: 'squares' }, logo]),
      )
      expect([status, body.errors?.url?.[0]]).toEqual([422, expect.stringContaining('dynamic')])
    })

    it('404 for unknown and for others, everywhere', async () => {
      const { uuid } = (await qr({})).body.data
      const other = await waymark().account()
      for (const path of ['/v1/edit-qr', '/v1/remove-qr'])
        expect((await post(waymark(), other, path, { uuid })).status).toBe(404)
      expect((await fetch(`${waymark().url}/i/nothing.png`)).status).toBe(404)
      expect((await fetch(`${waymark().url}/i/01890000-0000-7000-8000-000000000000.png`)).status).toBe(404)
    })
  })

  describe('barcodes', () => {
    it('answer every field, with pictures that say what they should', async () => {
      const { status, body } = await barcode({ text: 'Scan me', description: 'd' })
      expect(status).toBe(201)
      expect(body.data).toMatchObject({
        url,
        encodes: url,
        size: 100,
        color: '#000000',
        text: 'Scan me',
        text_size: 20,
        text_color: '#000000',
        text_position: 'bottom',
        symbology: 'code128',
        warnings: [],
      })
      expect(await read(body.data.image_url)).toBe(url)
    })

    it('read in every symbology, at odd sizes, with odd captions', async () => {
      const captions = ['<script>&"\'', 'שלום עולם', '😀😀', 'W'.repeat(50), null]
      for (const [at, symbology] of ['code128', 'datamatrix', 'pdf417', 'aztec'].entries()) {
        const answer = await barcode({
          symbology,
          size: 10.5 + at * 50,
          text: captions[at],
          text_size: 80,
          text_position: 'top',
        })
        expect([symbology, answer.status]).toEqual([symbology, 201])
        expect([symbology, await read(answer.body.data.image_url)]).toEqual([symbology, url])
        const svg = (await bytesOf(answer.body.data.svg_url)).toString()
        expect(svg).not.toMatch(/<script|<text|href=/)
      }
    })

    it('keep what an edit leaves out, and clear with null', async () => {
      const { uuid } = (await barcode({ text: 'a', color: '#123', size: 50 })).body.data
      const kept = await call('/v1/edit-barcode', { uuid, url: null })
      expect(kept.body.data).toMatchObject({ url, text: 'a', color: '#112233', size: 50 })
      const cleared = await call('/v1/edit-barcode', { uuid, text: null, color: null, size: null })
      expect(cleared.body.data).toMatchObject({ text: null, color: '#000000', size: 100 })
    })

    it('422 for an address too wide for its bars', async () => {
      const { status, body } = await barcode({ url: `https://example.com/${'a'.repeat(500)}` })
      expect([status, body.errors?.url?.[0]]).toEqual([422, expect.stringContaining('dynamic')])
      expect((await barcode({ url: `https://example.com/${'a'.repeat(500)}`, dynamic: true })).status).toBe(
        201,
      )
    })

    it('are listed, searched and removed', async () => {
      const own = await waymark().account()
      for (const description of ['first', 'second'])
        await post(waymark(), own, '/v1/generate-barcode', { url, description })
      const { body } = await get(waymark(), own, '/v1/barcode?search=FIRST')
      expect(body).toMatchObject({ meta: { total: 1 }, data: [{ description: 'first' }] })
      await post(waymark(), own, '/v1/remove-barcode', { uuid: body.data[0].uuid })
      expect((await get(waymark(), own, '/v1/barcode')).body.meta).toMatchObject({ total: 1, count: 1 })
    })
  })

  describe('print', () => {
    const print = async (query: string) => {
      const target = `/v1/print-code?${query}`
      return fetch(waymark().url + target, { headers: sign(await account(), 'GET', target) })
    }

    it('returns QR codes and barcodes in every format', async () => {
      const made = [(await qr({ frame: 'Scan me' })).body.data, (await barcode({})).body.data]
      const types = { svg: 'image/svg+xml', png: 'image/png', pdf: 'application/pdf' }
      for (const { uuid } of made)
        for (const [format, type] of Object.entries(types)) {
          const response = await print(`uuid=${uuid}&format=${format}&width_mm=120.5`)
          expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
          expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${uuid}.${format}"`)
          if (format === 'png') expect(await decode(Buffer.from(await response.arrayBuffer()))).toBe(url)
        }
    })

    it.each([
      ['format=pdf&width_mm=7.99', 'width_mm', 'Must be at least 8'],
      ['format=pdf&width_mm=1000.01', 'width_mm', 'Must be at most 1000'],
      ['format=pdf&width_mm=wide', 'width_mm', 'Must be a number from 8 to 1000'],
      ['format=pdf', 'width_mm', 'This field is required'],
      ['format=webp&width_mm=40', 'format', 'Must be one of'],
      ['format=png&width_mm=40&dpi=71', 'dpi', 'Must be at least 72'],
      ['format=png&width_mm=40&dpi=1201', 'dpi', 'Must be at most 1200'],
      ['format=png&width_mm=1000&dpi=1200', 'dpi', 'choose fewer dpi, svg or pdf'],
    ])('422 for %s', async (query, field, message) => {
      const { uuid } = (lastCode ??= (await qr({})).body.data)
      const response = await print(`uuid=${uuid}&${query}`)
      const { errors } = (await response.json()) as { errors: Record<string, string[]> }
      expect([response.status, errors[field]]).toEqual([422, [expect.stringContaining(message)]])
    })
    let lastCode: { uuid: string } | undefined

    it('needs a signature, and knows the codes of the caller only', async () => {
      const { uuid } = (await qr({})).body.data
      const target = `/v1/print-code?uuid=${uuid}&format=svg&width_mm=40`
      const { apiKey } = await account()
      expect((await fetch(waymark().url + target, { headers: { 'x-api-key': apiKey } })).status).toBe(401)
      expect((await get(waymark(), await waymark().account(), target)).status).toBe(404)
    })
  })

  describe('many at once', () => {
    const square = { url, pattern: 'squares' }
    const total = async (own: Account): Promise<number> =>
      (await get(waymark(), own, '/v1/qrcode?limit=1')).body.meta.total
    const filesOf = async (own: Account, query: string): Promise<Map<string, Buffer>> => {
      const target = `/v1/export-codes?${query}`
      const response = await fetch(waymark().url + target, { headers: sign(own, 'GET', target) })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
      return unzipped(Buffer.from(await response.arrayBuffer()))
    }

    it('creates all, in order, and exports them', async () => {
      const own = await waymark().account()
      const made = await post(waymark(), own, '/v1/generate-codes', {
        qrcodes: [
          { ...square, description: '=first', dynamic: true },
          { content: { type: 'text', text: 'Grüße' }, pattern: 'dots' },
        ],
        barcodes: [{ value: '400638133393', symbology: 'ean13' }],
      })
      expect([made.status, made.body.message]).toEqual([201, 'Codes created'])
      const [first, second] = made.body.data.qrcodes
      const [ean] = made.body.data.barcodes
      expect([first.description, second.encodes, ean.encodes]).toEqual(['=first', 'Grüße', '4006381333931'])
      const all = await filesOf(own, 'format=png')
      expect([...all.keys()].sort()).toEqual(
        [first, second, ean]
          .map(({ uuid }) => `${uuid}.png`)
          .concat('manifest.csv')
          .sort(),
      )
      expect(await decode(all.get(`${second.uuid}.png`)!)).toBe('Grüße')
      const manifest = all.get('manifest.csv')!.toString()
      expect(manifest).toContain(`${ean.uuid}.png,barcode,${ean.uuid},,4006381333931,`)
      expect(manifest).toContain(first.short_url)
      expect(manifest).not.toContain(',=first')
      const some = await filesOf(own, `format=svg&uuids=${ean.uuid}`)
      expect([...some.keys()]).toEqual([`${ean.uuid}.svg`, 'manifest.csv'])
      const link = (await get(waymark(), own, '/v1/links')).body.data[0]
      await post(waymark(), own, '/v1/edit-links', { uuid: link.uuid, link: link.link, tags: ['door'] })
      const tagged = await filesOf(own, 'format=svg&tag=door')
      expect([...tagged.keys()]).toEqual([`${first.uuid}.svg`, 'manifest.csv'])
      const other = await waymark().account()
      expect((await get(waymark(), other, `/v1/export-codes?format=svg&uuids=${ean.uuid}`)).status).toBe(404)
      const tooMany = Array.from({ length: 101 }, () => ean.uuid).join()
      const { body } = await get(waymark(), own, `/v1/export-codes?format=svg&uuids=${tooMany}`)
      expect(body.errors.uuids).toContain('Must name at most 100 codes')
    })

    it('grades each code by its own picture', async () => {
      const own = await waymark().account()
      const qrcodes = [1000, 1001, 1002, 1003].map((table) => ({
        url: `https://example.com/table/${table}`,
        pattern: 'dots',
      }))
      const made = (await post(waymark(), own, '/v1/generate-codes', { qrcodes })).body.data.qrcodes
      const letters = made.map(({ grade }: { grade: { letter: string } }) => grade.letter)
      expect(new Set(letters)).toEqual(new Set(['A', 'B']))
      for (const { uuid, grade } of made)
        expect((await post(waymark(), own, '/v1/edit-qr', { uuid })).body.data.grade).toEqual(grade)
    })

    it('creates none when one is invalid, and names its place', async () => {
      const own = await waymark().account()
      const create = (body: Record<string, unknown>) => post(waymark(), own, '/v1/generate-codes', body)
      const cases: [Record<string, unknown>, string][] = [
        [{ qrcodes: [square, { ...square, url: 'ftp://x' }] }, 'qrcodes.1.url'],
        [
          { qrcodes: [square], barcodes: [{ value: '4006381333930', symbology: 'ean13' }] },
          'barcodes.0.value',
        ],
        [
          { qrcodes: [square, { content: { type: 'text', text: 'ä'.repeat(1500) }, pattern: 'dots' }] },
          'qrcodes.1.content',
        ],
        [{}, 'qrcodes'],
        [{ qrcodes: Array.from({ length: 1001 }, () => square) }, 'qrcodes'],
        [{ qrcodes: Array.from({ length: 999 }, () => square), barcodes: [{ url }, { url }] }, 'qrcodes'],
      ]
      for (const [body, place] of cases) {
        const answer = await create(body)
        expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [place]])
      }
      expect(await total(own)).toBe(0)
    })

    it('names all that are invalid at once', async () => {
      const ean13 = (value: string) => ({ value, symbology: 'ean13' })
      const loop = { ...square, url: `${waymark().url}/abcdefg`, dynamic: true }
      const long = { content: { type: 'text', text: 'ä'.repeat(1500) }, pattern: 'dots' }
      const qrcodes = [loop, square, long, { ...long, content: { type: 'wifi', ssid: '' } }]
      const barcodes = [
        ean13('1'),
        ean13('400638133393'),
        ean13('4006381333930'),
        { value: 'lower case', symbology: 'code39' },
        { url, symbology: 'aztec' },
        { value: 'x'.repeat(2000), symbology: 'code128' },
        { value: '(01)1', symbology: 'gs1-128' },
        { value: 'a', symbology: 'unknown' },
      ]
      const ofSchema = ['qrcodes.3.content.ssid', 'barcodes.7.symbology']
      const beyond = [
        'qrcodes.0.url',
        'qrcodes.2.content',
        ...[0, 2, 3, 5, 6].map((at) => `barcodes.${at}.value`),
      ]
      const namedIn = async (body: Record<string, unknown>) => {
        const { status, body: answer } = await post(waymark(), await account(), '/v1/generate-codes', body)
        expect(status).toBe(422)
        return Object.keys(answer.errors).sort()
      }
      expect(await namedIn({ qrcodes, barcodes })).toEqual([...ofSchema, ...beyond].sort())
      const valid = { qrcodes: qrcodes.slice(0, 3), barcodes: barcodes.slice(0, 7) }
      expect(await namedIn(valid)).toEqual(beyond.toSorted())
      // A code that breaks its schema is not examined further.
      expect(await namedIn({ qrcodes: [{ ...loop, size: 1 }, loop] })).toEqual([
        'qrcodes.0.size',
        'qrcodes.1.url',
      ])
    })
  })
})

/** The files of a ZIP archive, as Python reads them. */
async function unzipped(bytes: Buffer): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-zip-'))
  try {
    await writeFile(join(folder, 'codes.zip'), bytes)
    const python = await needProgram(['python3'], 'python3')
    await promisify(execFile)(python, ['-m', 'zipfile', '-e', join(folder, 'codes.zip'), join(folder, 'out')])
    const names = await readdir(join(folder, 'out'))
    const files = names.map(async (name) => [name, await readFile(join(folder, 'out', name))] as const)
    return new Map(await Promise.all(files))
  } finally {
    await rm(folder, { recursive: true })
  }
}
