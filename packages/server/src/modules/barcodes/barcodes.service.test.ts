import type { Body } from '@waymark/contract/schemas'
import type { Symbology } from '@waymark/codes/barcodes'
import { expect, it } from 'vitest'
import { readTotal } from '../../storage/db/totals.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'

const URL = 'https://example.com/b'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const barcodes = () => services().modules.barcodes.service
  type UrlBarcode = Extract<Body<'generateBarcode'>, { url: string }>
  const create = async (user: string, fields: Partial<UrlBarcode> = {}, description?: string) =>
    barcodes().create(user, description, await barcodes().draw({ url: URL, ...fields }))
  const createOf = async (user: string, value: string, symbology: Symbology) =>
    barcodes().create(user, null, await barcodes().draw({ value, symbology }))
  const edit = async (user: string, fields: Body<'editBarcode'>, description?: string) =>
    barcodes().edit(user, description, await barcodes().redraw(user, fields))

  it('draws a barcode with its defaults, counts it and records it', async () => {
    const { user, events } = await services().newSubscriber()
    const made = await create(user, {}, 'on the shelf')
    expect(made).toMatchObject({
      url: URL,
      encodes: URL,
      description: 'on the shelf',
      size: 100,
      color: '#000000',
      text: null,
      text_size: 20,
      text_color: '#000000',
      text_position: 'bottom',
      symbology: 'code128',
      dynamic: false,
      short_url: null,
    })
    expect((await barcodes().owned.list(user, {})).items).toEqual([made])
    expect(await readTotal(services().core.db, user, 'barcodes')).toBe(1)
    expect(await events()).toEqual(['barcode.created'])
  })

  it('an edit does not change omitted fields, and null is the default', async () => {
    const user = await services().newUser()
    const made = await create(user, { text: '12.50', text_size: 30, color: '#111111' }, 'kept')
    const same = await edit(user, { uuid: made.uuid, url: URL })
    expect(same).toMatchObject({
      text: '12.50',
      text_size: 30,
      description: 'kept',
      image_url: made.image_url,
    })
    const bare = await edit(user, { uuid: made.uuid, url: URL, text: null, text_size: null, color: null })
    expect(bare).toMatchObject({ text: null, text_size: 20, color: '#000000' })
    expect(bare.image_url).not.toBe(made.image_url)
  })

  it('a dynamic barcode keeps its picture when its destination changes', async () => {
    const { countRows, newUser } = services()
    const user = await newUser()
    const made = await create(user, { dynamic: true })
    expect(made.encodes).toBe(made.short_url)
    const moved = await edit(user, { uuid: made.uuid, url: `${URL}/2` })
    expect([moved.encodes, moved.image_url, moved.url]).toEqual([made.encodes, made.image_url, `${URL}/2`])
    const off = await edit(user, { uuid: made.uuid, url: URL, dynamic: false })
    expect([off.encodes, off.short_url]).toEqual([URL, made.short_url])
    const on = await edit(user, { uuid: made.uuid, dynamic: true })
    expect([on.encodes, on.image_url, await countRows('links', user)]).toEqual([
      made.short_url,
      made.image_url,
      1,
    ])
  })

  it('rejects a destination that is a short link of this service', async () => {
    await expect(barcodes().draw({ url: 'https://way.example/x', dynamic: true })).rejects.toMatchObject({
      errors: { url: ['Must not lead to a short link of this service'] },
    })
  })

  it('rejects a text that its bars cannot encode', async () => {
    await expect(barcodes().draw({ url: `${URL}/${'é'.repeat(200)}` })).rejects.toMatchObject({
      code: 'validation',
      errors: { url: [expect.any(String)] },
    })
  })

  it('encodes a value instead of a URL, with its check digit', async () => {
    const user = await services().newUser()
    const made = await createOf(user, '400638133393', 'ean13')
    expect(made).toMatchObject({
      url: null,
      value: '400638133393',
      encodes: '4006381333931',
      symbology: 'ean13',
      dynamic: false,
      warnings: [],
    })
    const { uuid } = made
    expect(await edit(user, { ...made, color: '#000044' })).toMatchObject({ encodes: '4006381333931' })
    const other = await edit(user, { uuid, value: 'SHELF-7', symbology: 'code39' })
    expect(other).toMatchObject({ url: null, value: 'SHELF-7', encodes: 'SHELF-7' })
    const back = await edit(user, { uuid, url: URL, symbology: null })
    expect(back).toMatchObject({ url: URL, value: null, encodes: URL, symbology: 'code128' })
  })

  it('rejects a value that its symbology cannot encode, a wrong check digit and a dynamic value', async () => {
    const user = await services().newUser()
    const rejected = (field: string, sentence: string) => ({
      code: 'validation',
      errors: { [field]: [expect.stringContaining(sentence)] },
    })
    await expect(createOf(user, '4006381333930', 'ean13')).rejects.toMatchObject(
      rejected('value', 'it should be 1'),
    )
    await expect(createOf(user, 'lower', 'code39')).rejects.toMatchObject(
      rejected('value', 'capital letters'),
    )
    await expect(createOf(user, 'a'.repeat(2000), 'code128')).rejects.toMatchObject(
      rejected('value', 'choose another symbology'),
    )
    await expect(barcodes().draw({ url: URL, symbology: 'ean8' })).rejects.toMatchObject(
      rejected('url', '8 digits'),
    )
    const { uuid } = await createOf(user, 'A1', 'code39')
    await expect(edit(user, { uuid, symbology: 'upca' })).rejects.toMatchObject(
      rejected('value', '12 digits'),
    )
    await expect(edit(user, { uuid, dynamic: true })).rejects.toMatchObject(
      rejected('dynamic', 'Only a barcode of a url can be dynamic'),
    )
  })

  it('rejects a value that is too long for its symbology, and keeps a stored one', async () => {
    const user = await services().newUser()
    const tooLong = (field: string, ...numbers: number[]) => ({
      errors: { [field]: [expect.stringMatching(new RegExp(numbers.join('.*')))] },
    })
    await expect(createOf(user, 'a'.repeat(501), 'datamatrix')).rejects.toMatchObject(
      tooLong('value', 501, 500),
    )
    const url = `${URL}/${'a'.repeat(500)}`
    await expect(barcodes().draw({ url, symbology: 'aztec' })).rejects.toMatchObject(
      tooLong('url', url.length, 500),
    )
    const { uuid } = await createOf(user, 'a'.repeat(500), 'datamatrix')
    const encodes = 'a'.repeat(600)
    const { db } = services().core
    await db.write(() =>
      db.sql.updateTable('barcodes').set({ value: encodes, encodes }).where('uuid', '=', uuid).execute(),
    )
    expect(await edit(user, { uuid, value: encodes, color: '#000044' })).toMatchObject({ value: encodes })
    expect(await edit(user, { uuid, text: 'Shelf' })).toMatchObject({ value: encodes, text: 'Shelf' })
    await expect(edit(user, { uuid, value: `${encodes}a` })).rejects.toMatchObject(tooLong('value', 601, 500))
    await expect(edit(user, { uuid, symbology: 'code128' })).rejects.toMatchObject(tooLong('value', 600, 200))
    expect(await edit(user, { uuid, symbology: 'pdf417' })).toMatchObject({ value: encodes })
  })

  it('keeps the printed short link when the barcode gets a value', async () => {
    const { modules, newUser } = services()
    const user = await newUser()
    const { uuid, short_url } = await create(user, { dynamic: true })
    await expect(edit(user, { uuid, value: 'A1' })).rejects.toMatchObject({
      errors: { dynamic: expect.any(Array) },
    })
    const taken = await edit(user, { uuid, value: 'A1', dynamic: false })
    expect(taken).toMatchObject({ url: null, encodes: 'A1', short_url })
    expect((await modules.links.service.list(user, {})).items).toMatchObject([{ link: URL, short_url }])
  })

  it('accepts only one of two edits of the same version', async () => {
    const user = await services().newUser()
    const { uuid } = await create(user)
    const redraw = (size: number) => barcodes().redraw(user, { uuid, url: URL, size })
    const [first, second] = [await redraw(120), await redraw(130)]
    expect((await barcodes().edit(user, undefined, first)).size).toBe(120)
    await expect(barcodes().edit(user, undefined, second)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('removes a barcode with its short link and picture, only for its owner', async () => {
    const { core, countRows, newUser, newSubscriber } = services()
    const [{ user, events }, other] = [await newSubscriber(), await newUser()]
    const { uuid } = await create(user, { dynamic: true })
    const missing = { code: 'not_found', message: 'There is no such barcode' }
    await expect(barcodes().owned.remove(other, { uuid })).rejects.toMatchObject(missing)
    await expect(barcodes().redraw(other, { uuid, url: URL })).rejects.toMatchObject(missing)
    expect(await barcodes().owned.remove(user, { uuid, permanent: true })).toEqual({ uuid })
    expect([await countRows('barcodes', user), await countRows('links', user)]).toEqual([0, 0])
    expect(await readTotal(core.db, user, 'barcodes')).toBe(0)
    expect(await core.tombstones.has(['picture', uuid])).toBe(true)
    expect((await events()).toSorted()).toEqual([
      'barcode.created',
      'barcode.removed',
      'link.created',
      'link.removed',
    ])
  })

  it('also searches the text below the bars', async () => {
    const user = await services().newUser()
    await create(user, { text: 'Shelf 7' })
    await create(user)
    const found = await barcodes().owned.list(user, { search: 'shelf' })
    expect([found.items.map(({ text }) => text), found.total]).toEqual([['Shelf 7'], 1])
  })

  it('erases the barcodes of a deleted user, in batches', async () => {
    const { core, countRows, newUser } = services()
    const [user, other] = [await newUser(), await newUser()]
    await create(user)
    await create(other)
    const erase = () => core.db.write(() => barcodes().owned.eraseSome(user))
    expect([await erase(), await erase()]).toEqual([true, false])
    expect([await countRows('barcodes', user), await countRows('barcodes', other)]).toEqual([0, 1])
  })
})
