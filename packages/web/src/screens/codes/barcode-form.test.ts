import type { Barcode } from '@waymark/sdk'
import { expect, test } from 'vitest'
import { barcodeBody, barcodeValuesOf, drawValues } from './barcode-form.ts'

test('a saved value is shown as a value, and a saved address as an address', () => {
  expect(barcodeValuesOf(null)).toMatchObject({ content: 'url', symbology: 'code128', dynamic: false })
  expect(barcodeValuesOf({ value: '4006381333931', url: null } as Barcode)).toMatchObject({
    content: 'value',
    value: '4006381333931',
    url: '',
  })
})

test('only the chosen one of address and value is sent', () => {
  const values = { ...barcodeValuesOf(null), url: 'example.com', value: '42', dynamic: true }
  expect(barcodeBody(values)).toMatchObject({ url: 'https://example.com', dynamic: true })
  expect(barcodeBody(values)).not.toHaveProperty('value')
  const ofValue = barcodeBody({ ...values, content: 'value' })
  expect(ofValue).toMatchObject({ value: '42', dynamic: false })
  expect(ofValue).not.toHaveProperty('url')
})

test('blank texts are sent as null', () =>
  expect(barcodeBody({ ...barcodeValuesOf(null), text: ' ', description: '' })).toMatchObject({
    text: null,
    description: null,
  }))

test('values that the server would reject are not drawn', async () => {
  const values = barcodeValuesOf(null)
  expect(await drawValues({ ...values, url: 'not an address' }, 'x', null)).toEqual({
    fault: 'Must be a valid http or https URL',
  })
  const long = 'x'.repeat(201)
  const ofValue = { ...values, content: 'value', value: long } as const
  expect(await drawValues(ofValue, long, null)).toHaveProperty('fault')
  expect(await drawValues({ ...ofValue, value: '42' }, '42', null)).toMatchObject({ warnings: [] })
})

test('a saved barcode keeps a text that is too long today', async () => {
  const long = 'x'.repeat(201)
  const saved = { value: long, encodes: long, symbology: 'code128' } as Barcode
  const drawing = await drawValues(barcodeValuesOf(saved), long, saved)
  expect(drawing).toHaveProperty('picture')
})
