import { expect, it } from 'vitest'
import { needScanners } from '../scripts/services/scanners.ts'
import { scan } from './support/decode.ts'
import { post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'

const GTIN = '(01)09506000134352'

onStack('embedded', (waymark) => {
  it('GS1 codes hold application identifiers in every order, and are read with their separators', async () => {
    const account = await waymark().account()
    const { zxing, zbar } = await needScanners()
    const make = (fields: Record<string, unknown>) => post(waymark(), account, '/v1/generate-barcode', fields)
    const parts = [GTIN, '(10)AB-12', '(21)9']
    const orders = [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
      [1, 2, 0],
      [0, 2, 1],
      [2, 0, 1],
    ]
    for (const symbology of ['gs1-128', 'gs1-datamatrix'])
      for (const order of orders) {
        const value = order.map((at) => parts[at]).join('')
        const { status, body } = await make({ value, symbology })
        expect([value, status, body]).toEqual([value, 201, expect.anything()])
        expect(body.data).toMatchObject({ value, encodes: value, symbology, warnings: [] })
        const picture = Buffer.from(await (await fetch(body.data.image_url)).arrayBuffer())
        // A separator follows a value of variable length, unless it is the last.
        const said = order
          .map((at, place) => parts[at]?.replace(/[()]/g, '') + (at > 0 && place < 2 ? '\u001d' : ''))
          .join('')
        const heard = [await zxing(picture), ...(symbology === 'gs1-128' ? [await zbar(picture)] : [])]
        for (const text of heard) expect([said, `\u001d${said}`]).toContain(text)
        // The mark of GS1, without which scanners take the identifiers for plain text.
        const read = await scan(picture)
        expect([read?.contentType, read?.symbologyIdentifier]).toEqual([
          'GS1',
          symbology === 'gs1-128' ? ']C1' : ']d2',
        ])
      }
  })

  it('wrong identifiers are rejected with what is wrong, and parentheses elsewhere bring a warning', async () => {
    const account = await waymark().account()
    const make = (fields: Record<string, unknown>) => post(waymark(), account, '/v1/generate-barcode', fields)
    const wrong: [value: string, message: RegExp][] = [
      ['(01)9506000134352', /\(01\): too short: a GTIN has 14 digits/],
      ['(01)09506000134353', /check digit of \(01\)/],
      ['(9999)1', /no application identifier \(9999\)/],
      [`(10)A(10)B`, /Repeated/],
      [`(10)${'A'.repeat(21)}`, /\(10\): too long/],
      ['(10)', /\(10\): too short/],
      ['(17)991332', /\(17\): invalid month/],
      ['plain', /in parentheses/],
      [' ', /in parentheses/],
      ['(10)A(B)C', /no application identifier \(B\)/],
    ]
    for (const symbology of ['gs1-128', 'gs1-datamatrix'])
      for (const [value, message] of wrong) {
        const { status, body } = await make({ value, symbology })
        expect([value, status, Object.keys(body.errors ?? {})]).toEqual([value, 422, ['value']])
        expect(body.errors.value[0]).toMatch(message)
      }
    // An identifier that belongs to another one may be in a second code beside it.
    for (const symbology of ['gs1-128', 'gs1-datamatrix'])
      expect((await make({ value: '(10)AB12', symbology })).status).toBe(201)
    const { body } = await make({ value: `${GTIN}(10)AB12`, symbology: 'code128' })
    expect(body.data.warnings).toEqual([expect.stringContaining('The parentheses are encoded as text')])
  })
})
