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
})
