import { drawQr, toSvg } from '@waymark/codes'
import { useMemo } from 'react'
import { classes } from '../../ui/classes.ts'
import type { QrValues } from './qr-form.ts'
import { SvgPicture } from './svg-picture.tsx'
import { SwatchChoices } from './swatch-choices.tsx'

/** Everything of a QR code that a preset sets. */
type QrLook = Pick<
  QrValues,
  'pattern' | 'style' | 'eye_style' | 'color' | 'eye_color' | 'background' | 'frame'
>

const plain: QrLook = {
  pattern: 'squares',
  style: null,
  eye_style: 'square',
  color: '#000000',
  eye_color: '',
  background: '#ffffff',
  frame: '',
}

const PRESETS: Readonly<Record<string, QrLook>> = {
  Classic: plain,
  Soft: { ...plain, style: 'rounded', eye_style: 'rounded', color: '#22223b' },
  Trail: { ...plain, style: 'classy', eye_style: 'rounded', color: '#0b5d4a', eye_color: '#0b4638' },
  Bubbles: { ...plain, pattern: 'dots', eye_style: 'circle', color: '#1d3f8f', eye_color: '#12275c' },
  Gem: { ...plain, style: 'diamond', color: '#6b1d3a', background: '#fff7f5' },
  'Scan me': { ...plain, style: 'rounded', eye_style: 'rounded', frame: 'Scan me' },
}

const isSame = (look: QrLook, values: QrLook): boolean =>
  (Object.keys(plain) as (keyof QrLook)[]).every((name) => look[name] === values[name])

/** Looks that are known to scan, as a start. */
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
  const chosen = Object.entries(PRESETS).find(([, look]) => isSame(look, values))
  return (
    <SwatchChoices
      label="Presets"
      value={chosen?.[0] ?? null}
      onValue={(name) => onChoose(PRESETS[name] ?? plain)}
      choices={choices}
    />
  )
}

// The shortest text: few modules, so that each can be seen.
const SAMPLE = 'A'

function Swatch({ look }: { readonly look: QrLook }) {
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
