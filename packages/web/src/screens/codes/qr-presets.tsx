import { drawQr, toSvg } from '@waymark/codes'
import { useMemo } from 'react'
import { classes } from '../../ui/classes.ts'
import { orNull } from '../../forms/or-null.ts'
import type { BrandKit } from '../brand-kit/brand-kit.ts'
import type { QrValues } from './qr-form.ts'
import { SvgPicture } from './svg-picture.tsx'
import { SwatchChoices } from './swatch-choices.tsx'

/** The settings of a QR code that a preset or a saved style includes. */
export type QrLook = Pick<
  QrValues,
  'pattern' | 'style' | 'eye_style' | 'color' | 'eye_color' | 'background' | 'frame' | 'frame_font'
>

const plain: QrLook = {
  pattern: 'squares',
  style: null,
  eye_style: 'square',
  color: '#000000',
  eye_color: '',
  background: '#ffffff',
  frame: '',
  frame_font: 'sans',
}

const PRESETS: Readonly<Record<string, QrLook>> = {
  Classic: plain,
  Soft: { ...plain, style: 'rounded', eye_style: 'rounded', color: '#22223b' },
  Trail: { ...plain, style: 'classy', eye_style: 'rounded', color: '#0b5d4a', eye_color: '#0b4638' },
  Bubbles: { ...plain, pattern: 'dots', eye_style: 'circle', color: '#1d3f8f', eye_color: '#12275c' },
  Gem: { ...plain, style: 'diamond', color: '#6b1d3a', background: '#fff7f5' },
  'Scan me': { ...plain, style: 'rounded', eye_style: 'rounded', frame: 'Scan me' },
}

export const isSameLook = (look: QrLook, values: QrLook): boolean =>
  (Object.keys(plain) as (keyof QrLook)[]).every((name) => look[name] === values[name])

type SavedStyle = BrandKit['styles'][number]

/** A style of the brand kit as form values. */
export const lookOfStyle = (style: SavedStyle): QrLook => ({
  pattern: style.pattern,
  style: style.style ?? null,
  eye_style: style.eye_style ?? plain.eye_style,
  color: style.color ?? plain.color,
  eye_color: style.eye_color ?? '',
  background: style.background ?? plain.background,
  frame: style.frame ?? '',
  frame_font: style.frame_font ?? 'sans',
})

/** The look of the form as a style of the brand kit. */
export const styleOfLook = (name: string, values: QrLook): SavedStyle => ({
  name,
  pattern: values.pattern,
  style: values.style,
  eye_style: values.eye_style,
  color: values.color,
  eye_color: orNull(values.eye_color),
  background: values.background,
  frame: orNull(values.frame),
  frame_font: values.frame_font,
})

/** Looks that are known to scan. */
export function QrPresets({
  values,
  onChoose,
}: {
  readonly values: QrValues
  readonly onChoose: (look: QrLook) => void
}) {
  const choices = useMemo(
    () =>
      Object.entries(PRESETS).map(([name, look]) => ({
        value: name,
        label: name,
        picture: <Swatch look={look} />,
      })),
    [],
  )
  const chosen = Object.entries(PRESETS).find(([, look]) => isSameLook(look, values))
  return (
    <SwatchChoices
      label="Presets"
      value={chosen?.[0] ?? null}
      onValue={(name) => onChoose(PRESETS[name] ?? plain)}
      choices={choices}
    />
  )
}

// The shortest text has few modules, so that each is visible.
const SAMPLE = 'A'

export function Swatch({ look }: { readonly look: QrLook }) {
  const svg = toSvg(
    drawQr({
      text: SAMPLE,
      size: 104,
      margin: 1,
      pattern: look.pattern,
      ...(look.style === null ? {} : { style: look.style }),
      eyeStyle: look.eye_style,
      color: look.color,
      eyeColor: look.eye_color || look.color,
      background: look.background,
    }),
  )
  return (
    <span
      className={classes(
        'block w-13 overflow-hidden rounded-md ring-1 ring-line',
        look.frame !== '' && 'rounded-md border-2 border-b-[7px] border-[#000] ring-0',
      )}
    >
      <SvgPicture svg={svg} label="" />
    </span>
  )
}
