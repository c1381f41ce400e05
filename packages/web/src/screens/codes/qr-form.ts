import {
  contentLevel,
  contentPayload,
  type EyeStyle,
  type FrameFont,
  judgeQr,
  type QrOptions,
  type QrPicture,
  type QrStyle,
} from '@waymark/codes'
import type { Input, QrCode } from '@waymark/sdk'
import { namedBy } from '../../forms/field-names.ts'
import { orNull } from '../../forms/or-null.ts'
import type { useForm } from '../../forms/use-form.ts'
import { withScheme } from '../../ui/addresses.ts'
import {
  CONTENT_LABELS,
  contentOf,
  lacksContent,
  type Purpose,
  typedContent,
  type TypedContent,
} from './content-form.ts'
import type { Destination } from './encoded-text.ts'

export interface QrValues {
  purpose: Purpose
  url: string
  /** The fields of the content, if the code does not encode a URL. */
  content: TypedContent
  description: string
  pattern: 'squares' | 'dots'
  /** Overrides `pattern`. */
  style: QrStyle | null
  eye_style: EyeStyle
  /** The caption of the frame; empty: no frame. */
  frame: string
  /** The font of the caption. */
  frame_font: FrameFont
  color: string
  /** Empty: the same as `color`. */
  eye_color: string
  background: string
  size: number
  margin: number
  dynamic: boolean
  /** A data URL, for the preview. */
  logo: string | null
  /** The file to upload; null removes the stored one; undefined keeps it. */
  logoFile: File | null | undefined
}

/** The studio's form, as passed to its groups of fields. */
export type QrFormState = ReturnType<typeof useForm<QrValues>>

/**
 * The form values of a saved code, or of a new one. A new code is dynamic, because printed codes cannot be changed; a code of
 * a short link is not, because that link already counts scans and has a changeable destination.
 */
export const qrValuesOf = (code: QrCode | null, shortLink?: string): QrValues => ({
  purpose: code?.content?.type ?? 'url',
  url: code?.url ?? shortLink ?? '',
  content: typedContent(code?.content ?? null),
  description: code?.description ?? '',
  pattern: code?.pattern ?? 'squares',
  style: code?.style ?? null,
  eye_style: code?.eye_style ?? 'square',
  frame: code?.frame ?? '',
  frame_font: code?.frame_font ?? 'sans',
  color: code?.color ?? '#000000',
  eye_color: code === null || code.eye_color === code.color ? '' : code.eye_color,
  background: code?.background ?? '#ffffff',
  size: code?.size ?? 300,
  margin: code?.margin ?? 4,
  dynamic: code?.dynamic ?? shortLink === undefined,
  logo: null,
  logoFile: undefined,
})

/** The label of a field in the studio. */
export const nameOfField = namedBy({
  ...CONTENT_LABELS,
  purpose: 'What is it for?',
  content: 'Content',
  url: 'URL',
  description: 'Description',
  pattern: 'Pattern',
  style: 'Pattern',
  eye_style: 'Eyes',
  frame: 'Frame text',
  frame_font: 'Frame font',
  color: 'Colour',
  eye_color: 'Eye colour',
  background: 'Background',
  size: 'Size',
  margin: 'Margin',
  dynamic: 'Dynamic',
  logoFile: 'Logo',
})

/** Whether the form still equals the saved code. */
export const isAsSaved = (values: QrValues, saved: QrCode | null): boolean => {
  if (saved === null || values.logoFile !== undefined) return false
  const { logo: _, ...shown } = values
  const { logo: __, ...held } = qrValuesOf(saved)
  return JSON.stringify(shown) === JSON.stringify(held)
}

type QrFields = Omit<Input<'generateQr'>, 'url' | 'content' | 'pattern' | 'dynamic'>

const fieldsOf = (values: QrValues): QrFields => ({
  description: orNull(values.description),
  size: values.size,
  style: values.style,
  eye_style: values.eye_style,
  frame: orNull(values.frame),
  frame_font: values.frame_font,
  color: values.color,
  eye_color: orNull(values.eye_color),
  background: values.background,
  margin: values.margin,
  ...(values.logoFile === undefined ? {} : { logo: values.logoFile }),
})

/** The text that the code would encode; empty while a field is missing. */
export const qrDestination = ({ purpose, content, url, dynamic }: QrValues): Destination => {
  if (purpose === 'url') return { url, dynamic }
  const value = lacksContent(purpose, content) ? '' : contentPayload(contentOf(purpose, content))
  return { url: '', dynamic: false, content: 'value', value }
}

const destinationOf = (values: QrValues) =>
  values.purpose === 'url'
    ? { url: withScheme(values.url), dynamic: values.dynamic }
    : { content: contentOf(values.purpose, values.content), dynamic: false as const }

export const qrCreateBody = (values: QrValues): Input<'generateQr'> => ({
  ...destinationOf(values),
  pattern: values.pattern,
  ...fieldsOf(values),
})

export const qrEditBody = (uuid: string, values: QrValues): Input<'editQr'> => ({
  uuid,
  ...destinationOf(values),
  pattern: values.pattern,
  ...fieldsOf(values),
})

export type QrDrawing = { picture: QrPicture; warnings: string[] } | { fault: string }

/** Draws a QR code: `drawQr`, or with the font of frames `drawFramedQr`. */
export type DrawQr = (options: QrOptions) => QrPicture

/** Draws the current values, or returns why they cannot be encoded. */
export const drawValues = (values: QrValues, text: string, draw: DrawQr): QrDrawing => {
  const frame = values.frame.trim()
  const exactLevel = values.purpose === 'url' ? undefined : contentLevel(values.purpose)
  try {
    const picture = draw({
      text,
      size: values.size,
      color: values.color,
      eyeColor: values.eye_color === '' ? values.color : values.eye_color,
      background: values.background,
      margin: values.margin,
      pattern: values.pattern,
      eyeStyle: values.eye_style,
      ...(values.style === null ? {} : { style: values.style }),
      ...(frame === '' ? {} : { frame, frameFont: values.frame_font }),
      ...(values.logo === null ? {} : { logo: values.logo }),
      ...(exactLevel === undefined ? {} : { exactLevel }),
    })
    return { picture, warnings: judgeQr(picture) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'This cannot be encoded' }
  }
}
