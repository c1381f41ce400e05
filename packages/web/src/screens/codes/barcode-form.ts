import {
  type BarcodePicture,
  captionFault,
  drawBarcode,
  judgeBarcode,
  lengthFault,
} from '@waymark/codes/barcodes'
import type { Barcode, Input } from '@waymark/sdk'
import { namedBy } from '../../forms/field-names.ts'
import { orNull } from '../../forms/or-null.ts'
import { withScheme } from '../../ui/addresses.ts'
import { isNoUrl } from './encoded-text.ts'

export interface BarcodeValues {
  content: 'url' | 'value'
  url: string
  value: string
  description: string
  symbology: Barcode['symbology']
  size: number
  color: string
  text: string
  text_size: number
  text_color: string
  text_position: 'top' | 'bottom'
  dynamic: boolean
}

export const barcodeValuesOf = (code: Barcode | null, url = ''): BarcodeValues => ({
  content: typeof code?.value === 'string' ? 'value' : 'url',
  url: code?.url ?? url,
  value: code?.value ?? '',
  description: code?.description ?? '',
  symbology: code?.symbology ?? 'code128',
  size: code?.size ?? 100,
  color: code?.color ?? '#000000',
  text: code?.text ?? '',
  text_size: code?.text_size ?? 20,
  text_color: code?.text_color ?? '#000000',
  text_position: code?.text_position ?? 'bottom',
  dynamic: code?.dynamic ?? false,
})

/** The label of a field in the studio. */
export const nameOfField = namedBy({
  content: 'Content',
  url: 'URL',
  value: 'Value',
  description: 'Description',
  symbology: 'Symbology',
  size: 'Height',
  color: 'Colour',
  text: 'Caption',
  text_size: 'Caption size',
  text_color: 'Caption colour',
  text_position: 'Caption position',
  dynamic: 'Dynamic',
})

export const barcodeBody = ({
  content,
  url,
  value,
  dynamic,
  ...look
}: BarcodeValues): Input<'generateBarcode'> => ({
  ...look,
  description: orNull(look.description),
  text: orNull(look.text),
  ...(content === 'value' ? { value, dynamic: false } : { url: withScheme(url), dynamic }),
})

export type BarcodeDrawing = { picture: BarcodePicture; warnings: string[] } | { fault: string }

/** Why a text is too long; a saved barcode keeps its text. */
const tooLong = (
  { symbology, content, text: caption }: BarcodeValues,
  text: string,
  saved: Barcode | null,
): string | undefined =>
  saved?.encodes === text && saved.symbology === symbology
    ? undefined
    : (lengthFault(text, symbology, content === 'url') ?? captionFault(text, symbology, caption.trim()))

/** Draws the same as the server; values that it would reject are not drawn. */
export const drawValues = async (
  values: BarcodeValues,
  text: string,
  saved: Barcode | null,
): Promise<BarcodeDrawing> => {
  if (isNoUrl(values)) return { fault: 'Must be a valid http or https URL' }
  const fault = tooLong(values, text, saved)
  if (fault !== undefined) return { fault }
  try {
    const picture = await drawBarcode({
      text,
      symbology: values.symbology,
      size: values.size,
      color: values.color,
      captionSize: values.text_size,
      captionColor: values.text_color,
      captionPosition: values.text_position,
      ...(values.text.trim() === '' ? {} : { caption: values.text.trim() }),
    })
    return { picture, warnings: judgeBarcode(picture) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'This cannot be encoded' }
  }
}
