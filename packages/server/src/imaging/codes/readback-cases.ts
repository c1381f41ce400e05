import { drawQr, EYE_STYLES, judgeQr, QR_STYLES } from '@waymark/codes'
import type { EyeStyle, Pattern, QrStyle } from '@waymark/codes'
import * as fc from 'fast-check'

// Texts, sizes and colours that the tests draw and decode, as users send them.

const pathCharacter = fc.constantFrom(
  ...Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?#&=%+:@!$()*,;'),
)

/** Normalised URLs of up to `most` characters, mostly of everyday length. */
export function addresses(most: number): fc.Arbitrary<string> {
  const path = fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: pathCharacter, maxLength: 80, size: 'max' }) },
    { weight: 1, arbitrary: fc.string({ unit: pathCharacter, maxLength: most - 30, size: 'max' }) },
  )
  return fc
    .record({ scheme: fc.constantFrom('http', 'https'), host: fc.domain({ size: '-1' }), path })
    .map(({ scheme, host, path }) => `${scheme}://${host}/${path}`.slice(0, most))
}

/** The sizes that the API allows for a QR code. */
export const qrSizes = fc.integer({ min: 200, max: 500 })

export interface Colors {
  color: string
  eyeColor: string
  background: string
}

const example = drawQr({ text: 'https://example.com' })
const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
// Half of all random colours are unusable as background, so prefer the pale ones that people choose.
const ground = fc.oneof(fc.constant('#ffffff'), hex)

/** Dark modules and eyes on a lighter background that cause no warning. */
export const readableColors: fc.Arbitrary<Colors> = fc
  .record({ color: hex, eyeColor: hex, background: ground })
  .filter((colors) => judgeQr({ ...example, ...colors }).length === 0)

export interface QrLook {
  pattern: Pattern
  style?: QrStyle
  eyeStyle: EyeStyle
  frame?: string
}

/** Every shape of modules with every shape of eyes, some of them framed. */
export const qrLooks: fc.Arbitrary<QrLook> = fc
  .record({
    pattern: fc.constantFrom<Pattern>('squares', 'dots'),
    style: fc.option(fc.constantFrom<QrStyle>(...QR_STYLES), { nil: undefined, freq: 5 }),
    eyeStyle: fc.constantFrom<EyeStyle>(...EYE_STYLES),
    frame: fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }), {
      nil: undefined,
      freq: 1,
    }),
  })
  .map(({ style, frame, ...look }) => ({
    ...look,
    ...(style !== undefined && { style }),
    ...(frame !== undefined && { frame }),
  }))
