import type { Body, Data } from '@waymark/contract/schemas'
import type { BarcodeRow } from '../../storage/db/tables.ts'
import { BLACK, type CodeContext, codeFields } from '../codes/code-fields.ts'
import { fieldsOf } from '../owned/field-map.ts'

export type Barcode = Data<'generateBarcode'>
export type BarcodeCreate = Body<'generateBarcode'>
/** A new barcode has either a `url` or a `value`; an edit can omit both. */
type BarcodeInput = Omit<Body<'editBarcode'>, 'uuid'>

/** Every field of a barcode, in the order of responses. */
export const barcodeFields = fieldsOf<BarcodeRow, BarcodeInput, Barcode, CodeContext>()({
  // A barcode of a value keeps the last destination of the link it may have had.
  url: {
    column: 'url',
    isSettledByService: true,
    show: (row) => (row.value === null ? row.url : null),
    isSearched: true,
  },
  value: { isSettledByService: true, show: (row) => row.value },
  ...codeFields,
  size: { column: 'size', initial: 100, show: (row) => row.size },
  text: {
    column: 'text',
    initial: null,
    store: (text) => (text === '' ? null : text),
    show: (row) => row.text,
    isSearched: true,
  },
  text_size: { column: 'text_size', initial: 20, show: (row) => row.text_size },
  text_color: { column: 'text_color', initial: BLACK, show: (row) => row.text_color },
  text_position: {
    column: 'text_position',
    initial: 'bottom',
    show: (row) => row.text_position as Barcode['text_position'],
  },
  symbology: {
    column: 'symbology',
    initial: 'code128',
    show: (row) => row.symbology as Barcode['symbology'],
  },
})
