import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UploadedFile } from '@waymark/contract'
import type { Body } from '@waymark/contract/schemas'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { expect, it } from 'vitest'
import { prepareUploads } from '../../imaging/uploads/images.ts'
import { readTotal } from '../../storage/db/totals.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import type { QrcodeRow } from '../../storage/db/tables.ts'
import { testServices } from '../testing.ts'
import { storedQr } from './qr-look.ts'

const URL = 'https://example.com/scan'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const qrcodes = () => services().modules.qrcodes.service
  const create = async (user: string, fields: Partial<Body<'generateQr'>> = {}, description?: string) => {
    const body = { url: URL, pattern: 'squares', ...fields } as Body<'generateQr'>
    return qrcodes().create(user, description, await qrcodes().draw(body))
  }
  const edit = async (user: string, fields: Body<'editQr'>, description?: string) =>
    qrcodes().edit(user, description, await qrcodes().redraw(user, fields))
  const logo = async (background: string): Promise<UploadedFile> => {
    const path = join(services().dataDir, `${crypto.randomUUID()}.png`)
    await sharp({ create: { width: 24, height: 24, channels: 3, background } }).toFile(path)
    const file = new UploadedFile({ path, size: 100, filename: 'logo.png' })
    await prepareUploads([file])
    return file
  }
  const isStored = (address: string | null): Promise<boolean> =>
    services().core.blobs.has(/([0-9a-f]{64})/.exec(address ?? '')?.[1] ?? '')

  it('draws a code with its defaults, counts it and records it', async () => {
    const { user, events } = await services().newSubscriber()
    const made = await create(user, {}, 'on the door')
    expect(made).toMatchObject({
      url: URL,
      encodes: URL,
      description: 'on the door',
      size: 300,
      color: '#000000',
      eye_color: '#000000',
      background: '#ffffff',
      margin: 4,
      pattern: 'squares',
      logo: null,
      dynamic: false,
      short_url: null,
      scans: 0,
    })
    expect(made.image_url).toMatch(new RegExp(`^https://way\\.example/i/${made.uuid}\\.png\\?v=`))
    expect((await qrcodes().owned.list(user, {})).items).toEqual([made])
    expect(await readTotal(services().core.db, user, 'qrcodes')).toBe(1)
    expect(await events()).toEqual(['qrcode.created'])
  })

  it('an edit does not change omitted fields, and changes the picture version only with the look', async () => {
    const user = await services().newUser()
    const made = await create(user, { color: '#123456', size: 400 }, 'kept')
    const same = await edit(user, { uuid: made.uuid, url: URL, pattern: 'squares' })
    expect([same.description, same.color, same.size, same.image_url]).toEqual([
      'kept',
      '#123456',
      400,
      made.image_url,
    ])
    const other = await edit(user, { uuid: made.uuid, url: URL, pattern: 'dots', color: '#004400' }, 'new')
    // Without their own colour, the eyes have the colour of the code.
    expect(other).toMatchObject({
      description: 'new',
      pattern: 'dots',
      color: '#004400',
      eye_color: '#004400',
    })
    expect(other.image_url).not.toBe(made.image_url)
  })

  it('a dynamic code keeps its picture when its destination changes', async () => {
    const { modules, newUser } = services()
    const user = await newUser()
    const made = await create(user, { dynamic: true })
    expect(made.encodes).toBe(made.short_url)
    const moved = await edit(user, { uuid: made.uuid, url: `${URL}/2`, pattern: 'squares' })
    expect([moved.encodes, moved.image_url, moved.url]).toEqual([made.encodes, made.image_url, `${URL}/2`])
    expect((await modules.links.service.list(user, {})).items).toMatchObject([
      { link: `${URL}/2`, owner: { type: 'qrcode', uuid: made.uuid } },
    ])
  })

  it('keeps the printed short link while dynamic is off, and encodes it again', async () => {
    const { countRows, modules, newUser } = services()
    const user = await newUser()
    const { uuid, short_url, image_url } = await create(user, { dynamic: true })
    const off = await edit(user, { uuid, dynamic: false })
    expect(off).toMatchObject({ dynamic: false, encodes: URL, short_url })
    const moved = await edit(user, { uuid, url: `${URL}/2` })
    expect(moved).toMatchObject({ dynamic: false, encodes: `${URL}/2`, short_url })
    expect((await modules.links.service.list(user, {})).items).toMatchObject([
      { link: `${URL}/2`, short_url },
    ])
    // A static code can encode a short link, but the printed link would then lead to itself.
    await expect(edit(user, { uuid, url: short_url ?? '' })).rejects.toMatchObject({
      errors: { url: ['Must not lead to a short link of this service'] },
    })
    const on = await edit(user, { uuid, dynamic: true })
    expect(on).toMatchObject({ dynamic: true, encodes: short_url, short_url, image_url })
    expect(await countRows('links', user)).toBe(1)
    await edit(user, { uuid, dynamic: null })
    await qrcodes().owned.remove(user, { uuid, permanent: true })
    expect(await countRows('links', user)).toBe(0)
  })

  it('keeps a logo as long as the code has it', async () => {
    const { core, newUser } = services()
    const user = await newUser()
    const made = await create(user, { logo: await logo('#aa0000') })
    expect(await isStored(made.logo)).toBe(true)
    const same = await edit(user, { uuid: made.uuid, url: URL, pattern: 'dots' })
    expect(same.logo).toBe(made.logo)
    const replaced = await edit(user, {
      uuid: made.uuid,
      url: URL,
      pattern: 'dots',
      logo: await logo('#0000aa'),
    })
    await core.blobs.settled()
    expect([await isStored(made.logo), await isStored(replaced.logo)]).toEqual([false, true])
    await qrcodes().owned.remove(user, { uuid: made.uuid })
    await core.blobs.settled()
    expect(await isStored(replaced.logo)).toBe(true)
    while (await core.db.write(() => qrcodes().owned.eraseSome(user)));
    await core.blobs.settled()
    expect(await isStored(replaced.logo)).toBe(false)
  })

  it('discards the logo of a code that was drawn but not created', async () => {
    const { core, countRows, newUser } = services()
    const user = await newUser()
    const drawn = await qrcodes().draw({ url: URL, pattern: 'squares', logo: await logo('#00aa00') })
    await qrcodes().discard(drawn)
    await core.blobs.settled()
    expect(await core.blobs.has(drawn.look.logo_hash ?? '')).toBe(false)
    expect(await countRows('qrcodes', user)).toBe(0)
  })

  it('rejects a text that is too long for a code', async () => {
    const long = `https://example.com/${'a'.repeat(3000)}`
    await expect(qrcodes().draw({ url: long, pattern: 'squares' })).rejects.toMatchObject({
      code: 'validation',
      errors: { url: [expect.any(String)] },
    })
  })

  it('draws a SEPA transfer with error correction M and at most version 13, also with a logo', async () => {
    const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } })
    const iban = 'DE89370400440532013000'
    const transfer = { type: 'sepa', name: 'A', iban, text: 'Thanks' } as const
    const fields = { url: undefined, pattern: 'squares', size: 500 } as const
    const user = await services().newUser()
    const storedOf = async ({ uuid }: { uuid: string }) => {
      const row = await services().modules.qrcodes.store.findPublic(uuid)
      return storedQr(row as QrcodeRow, services().core.blobs)
    }
    for (const file of [undefined, await logo('#aa0000')])
      for (const content of [transfer, { ...transfer, name: 'A'.repeat(70), text: 'x'.repeat(140) }]) {
        const stored = await storedOf(await create(user, { ...fields, content, ...(file && { logo: file }) }))
        expect(stored).toMatchObject({ input: { exactLevel: 'M' } })
        const { bytes } = await services().core.codeImages.render(stored, 'png')
        const [read] = await readBarcodes(new Uint8Array(bytes), { formats: ['QRCode'] })
        expect(read).toMatchObject({ ecLevel: 'M', text: expect.stringContaining(iban) })
        expect(Number(read?.version)).toBeLessThanOrEqual(13)
      }
    const content = { ...transfer, name: 'é'.repeat(70), text: 'é'.repeat(100) }
    await expect(qrcodes().draw({ ...fields, content, logo: await logo('#aa0000') })).rejects.toMatchObject({
      errors: { content: [expect.stringMatching(/takes \d+ bytes: a SEPA transfer holds at most 330/)] },
    })
  })

  it('searches contents, but not passwords, and not for requests with the key alone', async () => {
    const workspaceUuid = await services().newUser()
    const made = await create(workspaceUuid, {
      url: undefined,
      content: { type: 'wifi', ssid: 'Café; "Größe" 100%_', password: 'correct-horse' },
    })
    const { uuid } = await create(workspaceUuid, {
      url: undefined,
      content: { type: 'contact', last_name: 'Lovelace', note: 'two\nlines' },
    })
    const place = await create(workspaceUuid, {
      url: undefined,
      content: { type: 'location', latitude: 48.8584, longitude: 2.2945 },
    })
    const search = async (text: string, unsigned?: true) => {
      const { items, total } = await qrcodes().list(
        { workspaceUuid, ...(unsigned && { unsigned }) },
        { search: text },
      )
      expect(total).toBe(items.length)
      return items.map((each) => each.uuid)
    }
    for (const text of ['café', 'CAFÉ; "gr', 'größe" 100%_']) expect(await search(text)).toEqual([made.uuid])
    for (const text of ['lovelace', 'two\nlines']) expect(await search(text)).toEqual([uuid])
    expect(await search('48.8584')).toEqual([place.uuid])
    for (const text of ['correct-horse', 'password', 'ssid', '100%x']) expect(await search(text)).toEqual([])
    for (const text of ['café', 'lovelace', '48.8584', 'correct-horse'])
      expect(await search(text, true)).toEqual([])
    await edit(workspaceUuid, { uuid, content: { type: 'contact', last_name: 'Byron' } })
    expect([await search('lovelace'), await search('byron')]).toEqual([[], [uuid]])
    await edit(workspaceUuid, { uuid, url: URL })
    expect(await search('byron')).toEqual([])
    expect((await qrcodes().list({ workspaceUuid }, { search: '' })).total).toBe(3)
  })

  it('accepts only one of two edits of the same version', async () => {
    const user = await services().newUser()
    const { uuid } = await create(user)
    const redraw = (size: number) => qrcodes().redraw(user, { uuid, url: URL, pattern: 'squares', size })
    const [first, second] = [await redraw(500), await redraw(600)]
    expect((await qrcodes().edit(user, undefined, first)).size).toBe(500)
    await expect(qrcodes().edit(user, undefined, second)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('removes a code with its short link and picture, only for its owner', async () => {
    const { core, countRows, newUser, newSubscriber } = services()
    const [{ user, events }, other] = [await newSubscriber(), await newUser()]
    const { uuid } = await create(user, { dynamic: true })
    const missing = { code: 'not_found', message: 'There is no such QR code' }
    await expect(qrcodes().owned.remove(other, { uuid })).rejects.toMatchObject(missing)
    const foreign = { uuid, url: URL, pattern: 'dots' } as const
    await expect(qrcodes().redraw(other, foreign)).rejects.toMatchObject(missing)
    expect(await qrcodes().owned.remove(user, { uuid, permanent: true })).toEqual({ uuid })
    expect([await countRows('qrcodes', user), await countRows('links', user)]).toEqual([0, 0])
    expect(await readTotal(core.db, user, 'qrcodes')).toBe(0)
    expect(await core.tombstones.has(['picture', uuid])).toBe(true)
    expect((await events()).toSorted()).toEqual([
      'link.created',
      'link.removed',
      'qrcode.created',
      'qrcode.removed',
    ])
  })

  it('erases the codes of a deleted user, in batches', async () => {
    const { core, countRows, newUser } = services()
    const [user, other] = [await newUser(), await newUser()]
    await create(user)
    await create(other)
    const erase = () => core.db.write(() => qrcodes().owned.eraseSome(user))
    expect([await erase(), await erase()]).toEqual([true, false])
    expect([await countRows('qrcodes', user), await countRows('qrcodes', other)]).toEqual([0, 1])
  })
})
