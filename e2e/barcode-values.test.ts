import { expect, it } from 'vitest'
import { decode } from './support/decode.ts'
import { post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'

const url = 'https://example.com/where?x=1'

onStack('embedded', (waymark) => {
  it('barcodes hold a value of every kind, with its check digit, or say why not', async () => {
    const account = await waymark().account()
    const make = (fields: Record<string, unknown>) => post(waymark(), account, '/v1/generate-barcode', fields)
    const values: [symbology: string, value: string, encodes?: string][] = [
      ['code128', 'Shelf 7/b'],
      ['datamatrix', 'Shelf 7/b'],
      ['pdf417', 'Shelf 7/b'],
      ['aztec', 'Shelf 7/b'],
      ['code39', 'SHELF-7'],
      ['ean13', '400638133393', '4006381333931'],
      ['ean8', '9638507', '96385074'],
      ['upca', '03600029145', '036000291452'],
      ['itf14', '1234567890123', '12345678901231'],
    ]
    for (const [symbology, value, encodes = value] of values) {
      const { status, body } = await make({ value, symbology })
      expect([symbology, status]).toEqual([symbology, 201])
      expect(body.data).toMatchObject({
        symbology,
        value,
        encodes,
        url: null,
        dynamic: false,
        short_url: null,
      })
      // Readers may answer a UPC-A as the EAN-13 that it is: with a leading zero.
      const picture = await (await fetch(body.data.image_url)).arrayBuffer()
      const said = await decode(Buffer.from(picture))
      expect([symbology, said?.padStart(13, '0')]).toEqual([symbology, encodes.padStart(13, '0')])
      if (encodes !== value) expect((await make({ value: encodes, symbology })).status).toBe(201)
    }
    const wrong: [fields: Record<string, unknown>, field: string][] = [
      [{ value: '4006381333930', symbology: 'ean13' }, 'value'],
      [{ value: 'shelf', symbology: 'code39' }, 'value'],
      [{ value: 'a', url }, 'value'],
      [{ value: 'a', dynamic: true }, 'dynamic'],
      [{}, 'url'],
      [{ url, symbology: 'ean13' }, 'url'],
    ]
    for (const [fields, field] of wrong) {
      const { status, body } = await make(fields)
      expect([fields, status, Object.keys(body.errors)]).toEqual([fields, 422, [field]])
    }
  })
  it('a value that is too long is rejected wherever it is given, with its length and the maximum', async () => {
    const account = await waymark().account()
    const send = (method: string, fields: Record<string, unknown>) =>
      post(waymark(), account, `/v1/${method}`, fields)
    const lot = (length: number) => `(01)09506000134352(10)A(91)${'B'.repeat(length - 22)}`
    const tooLong: [symbology: string, value: string, length: number, longest: number][] = [
      ['gs1-128', lot(49), 49, 48],
      ['gs1-datamatrix', '(91)A'.repeat(480), 1919, 500],
      ['gs1-datamatrix', `(91)${'A'.repeat(90)}(92)${'B'.repeat(90)}(93)${'C'.repeat(90)}`, 282, 200],
      ['code128', 'é'.repeat(201), 201, 200],
      ['code39', 'A'.repeat(81), 81, 80],
      ['pdf417', 'a'.repeat(801), 801, 800],
      ['aztec', 'a'.repeat(100_000), 100_000, 500],
    ]
    const short = (await send('generate-barcode', { value: '(10)A', symbology: 'gs1-datamatrix' })).body.data
    for (const [symbology, value, length, longest] of tooLong) {
      const sentence = expect.stringMatching(new RegExp(`\\b${length} characters.* at most ${longest}\\b`))
      const one = await send('generate-barcode', { value, symbology })
      expect([one.status, one.body.errors]).toEqual([422, { value: [sentence] }])
      const edited = await send('edit-barcode', { uuid: short.uuid, value, symbology })
      expect([edited.status, edited.body.errors]).toEqual([422, { value: [sentence] }])
      const many = await send('generate-codes', { barcodes: [{ value: 'A1' }, { value, symbology }] })
      expect([many.status, many.body.errors]).toEqual([422, { 'barcodes.1.value': [sentence] }])
    }
    expect((await send('generate-barcode', { value: lot(48), symbology: 'gs1-128' })).status).toBe(201)
    const long = `(91)${'A'.repeat(90)}(92)${'B'.repeat(90)}(93)${'C'.repeat(90)}`
    const captioned = { value: long, symbology: 'gs1-datamatrix', text: 'Lot 7' }
    expect((await send('generate-barcode', captioned)).status).toBe(201)
  })
})
