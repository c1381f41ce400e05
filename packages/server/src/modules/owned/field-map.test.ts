import { jsonSchemaOf, schemas } from '@waymark/contract/schemas'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { SchemaPlace } from '../../api/body/schema-fields.ts'
import { barcodeFields } from '../barcodes/barcode-fields.ts'
import { domainFields } from '../domains/domain-fields.ts'
import { linkFields } from '../links/link-fields.ts'
import { pageFields } from '../pages/page-fields.ts'
import { qrcodeFields } from '../qrcodes/qrcode-fields.ts'
import { utmFields } from '../utm/utm.store.ts'
import { webhookFields } from '../webhooks/webhooks.service.ts'
import { fieldsOf } from './field-map.ts'

/** The names of a schema's fields, including those of all variants. */
const namesOf = (schema: z.ZodType): string[] => {
  const variants = SchemaPlace.top(jsonSchemaOf(schema, 'input')).schemas
  return [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))]
}

const resources = [
  { name: 'links', fields: linkFields, create: schemas.generateLink, edit: schemas.editLinks },
  { name: 'QR codes', fields: qrcodeFields, create: schemas.generateQr, edit: schemas.editQr },
  { name: 'barcodes', fields: barcodeFields, create: schemas.generateBarcode, edit: schemas.editBarcode },
  { name: 'UTM links', fields: utmFields, create: schemas.generateUtm, edit: schemas.editUtm },
  { name: 'pages', fields: pageFields, create: schemas.generatePage, edit: schemas.editPage },
  { name: 'domains', fields: domainFields, create: schemas.addDomain, edit: schemas.editDomain },
  {
    name: 'webhooks',
    fields: webhookFields,
    // The response to a create also has the secret, which the service adds.
    create: { body: schemas.addWebhook.body, response: schemas.editWebhook.response },
    edit: schemas.editWebhook,
  },
]

describe.each(resources)('the field map of $name', ({ fields, create, edit }) => {
  const map: Record<string, object> = fields.map
  const answered = Object.keys(create.response.shape.data.shape)

  test('has exactly the fields of the contract', () => {
    const contract = new Set([...namesOf(create.body), ...namesOf(edit.body), ...answered])
    expect(Object.keys(map).toSorted()).toEqual([...contract].toSorted())
  })

  test('stores every field of requests', () => {
    const lost = namesOf(create.body).filter((name) => {
      const field = map[name] ?? {}
      return !('initial' in field || 'isSettledByService' in field)
    })
    expect(lost).toEqual([])
  })

  test('shows every field of responses', () => {
    expect(answered.filter((name) => !('show' in (map[name] ?? {})))).toEqual([])
  })
})

describe('a field map', () => {
  interface Row {
    uuid: string
    size: number
    note: string | null
    until: number | null
  }
  interface Input {
    size?: number | null | undefined
    note?: string | null | undefined
    until?: string | null | undefined
    secret?: string | undefined
  }
  interface Answer {
    uuid: string
    size: number
    note: string | null
    until: string | null
  }
  const fields = fieldsOf<Row, Input, Answer, { unit: string }>()({
    size: { column: 'size', initial: 300, show: (row) => row.size, csv: { direction: 'carried' } },
    note: {
      column: 'note',
      initial: null,
      show: (row) => row.note,
      isSearched: true,
      csv: { direction: 'carried', aliases: ['comment'], cell: (row) => row.note },
    },
    until: {
      column: 'until',
      initial: null,
      store: Date.parse,
      show: (row, { unit }) => (row.until === null ? null : `${row.until} ${unit}`),
    },
    secret: { isSettledByService: true, csv: { direction: 'in' } },
    uuid: { show: (row) => row.uuid, csv: { direction: 'out' } },
  })
  const row = { uuid: 'u', size: 1, note: null, until: 5 }

  test('fills the columns of a new row, with defaults for omitted fields and null', () => {
    expect(fields.newColumns({})).toEqual({ size: 300, note: null, until: null })
    expect(fields.newColumns({ size: null, note: 'x', until: '1970-01-01', secret: 's' })).toEqual({
      size: 300,
      note: 'x',
      until: 0,
    })
  })

  test('changes the fields of an edit: null is the default, and omitted fields do not change', () => {
    expect(fields.changedColumns({})).toEqual({})
    expect(fields.changedColumns({ size: undefined, note: null, until: '1970-01-01' })).toEqual({
      note: null,
      until: 0,
    })
  })

  test('shows the fields of responses, the uuid first', () => {
    expect(Object.entries(fields.show(row, { unit: 'ms' }))).toEqual([
      ['uuid', 'u'],
      ['size', 1],
      ['note', null],
      ['until', '5 ms'],
    ])
  })

  test('lists the columns of searches and CSV files', () => {
    expect(fields.searched).toEqual(['note'])
    expect(fields.importedNames).toEqual(['size', 'note', 'secret'])
    expect(fields.exportedNames).toEqual(['size', 'note', 'uuid'])
    expect(fields.cells(row, { unit: 'ms' })).toEqual([1, null, 'u'])
    expect(['SIZE', 'Comment', 'uuid', 'until'].map((name) => fields.nameOfHeader(name))).toEqual([
      'size',
      'note',
      null,
      undefined,
    ])
  })
})
