import { z } from 'zod'
import { hexColor } from './fields.ts'

/*
 * What a theme may say. Every value ends up in a style sheet of a public page, so each is held to a small grammar of
 * what its property can be; nothing that could close a declaration, open a URL or name a function gets through.
 */

const NUMBER = String.raw`[+-]?(?:\d{1,5}(?:\.\d{1,4})?|\.\d{1,4})`
const LENGTH = String.raw`(?:0|${NUMBER}(?:px|em|rem|pt|vw|vh|ch|ex|cm|mm|in))`
const LENGTH_OR_PERCENT = String.raw`(?:0|${NUMBER}(?:px|em|rem|pt|vw|vh|ch|ex|cm|mm|in|%))`
const CHANNEL = String.raw`\s*${NUMBER}(?:%|deg)?\s*`
const COLOR = String.raw`(?:#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})|(?:rgb|hsl)a?\(${CHANNEL}(?:[,\s]${CHANNEL}){2}(?:[,/]${CHANNEL})?\)|[a-z]{3,20})`

const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`, 'i')

const isLength = whole(LENGTH)
const isRadius = whole(`${LENGTH_OR_PERCENT}(?: ${LENGTH_OR_PERCENT}){0,3}`)
const isColor = whole(COLOR)
const isPolygon = whole(
  String.raw`polygon\(\s*(?:(?:nonzero|evenodd)\s*,\s*)?${LENGTH_OR_PERCENT}\s+${LENGTH_OR_PERCENT}(?:\s*,\s*${LENGTH_OR_PERCENT}\s+${LENGTH_OR_PERCENT}){2,63}\s*\)`,
)
const POSITION = String.raw`(?:\s+at\s+(?:${LENGTH_OR_PERCENT}|left|right|top|bottom|center)(?:\s+(?:${LENGTH_OR_PERCENT}|left|right|top|bottom|center))?)?`
const isRound = whole(
  String.raw`(?:circle\(\s*(?:${LENGTH_OR_PERCENT}|closest-side|farthest-side)?|ellipse\(\s*(?:(?:${LENGTH_OR_PERCENT}|closest-side|farthest-side)\s+(?:${LENGTH_OR_PERCENT}|closest-side|farthest-side))?)${POSITION}\s*\)`,
)
const isInset = whole(
  String.raw`inset\(\s*${LENGTH_OR_PERCENT}(?:\s+${LENGTH_OR_PERCENT}){0,3}(?:\s+round\s+${LENGTH_OR_PERCENT}(?:\s+${LENGTH_OR_PERCENT}){0,3})?\s*\)`,
)

const withUnit = (value: string): string =>
  /^\d{1,5}(?:\.\d{1,4})?$/.test(value) && Number(value) !== 0 ? `${value}px` : value

/** Splits at commas outside parentheses, so that `rgba(0, 0, 0, .5)` stays whole. */
const layers = (value: string): string[] => value.split(/,(?![^(]*\))/).map((layer) => layer.trim())

const isShadowLayer = (layer: string): boolean => {
  const words = layer.match(/[^\s(]+(?:\([^)]*\))?/g) ?? []
  const lengths = words.filter((word) => isLength.test(word))
  const rest = words.filter((word) => !isLength.test(word) && word.toLowerCase() !== 'inset')
  const insets = words.length - lengths.length - rest.length
  return (
    words.join('').length === layer.replaceAll(/\s+(?![^(]*\))/g, '').length &&
    lengths.length >= 2 &&
    lengths.length <= 4 &&
    insets <= 1 &&
    rest.length <= 1 &&
    rest.every((word) => isColor.test(word))
  )
}

const isShadow = (value: string): boolean => {
  if (value.toLowerCase() === 'none') return true
  const all = layers(value)
  return all.length <= 8 && all.every(isShadowLayer)
}

const isClip = (value: string): boolean =>
  value.toLowerCase() === 'none' || isPolygon.test(value) || isRound.test(value) || isInset.test(value)

const css = (test: (value: string) => boolean, rule: string) =>
  z
    .string()
    .max(2048, 'Must be at most 2048 characters')
    .transform((value) => withUnit(value.trim()))
    .refine((value) => value === '' || test(value), rule)
    // A blank value says nothing, as an absent one does.
    .transform((value) => (value === '' ? null : value))

/** A colour of the theme; a blank one is none. */
export const cssColor = z.union([z.literal('').transform(() => null), hexColor], {
  error: 'Must be a hex colour such as #1a2b3c',
})

/** A length such as `2px`; a bare number is pixels. */
export const cssLength = css((value) => isLength.test(value), 'Must be a length such as 2px')

/** One to four lengths or percentages. */
export const cssRadius = css((value) => isRadius.test(value), 'Must be a radius such as 12px')

/** A box shadow of up to eight layers, or `none`. */
export const cssShadow = css(isShadow, 'Must be a shadow such as 0 2px 8px rgba(0, 0, 0, 0.2)')

/** A clip path by a basic shape, or `none`. */
export const cssClip = css(isClip, 'Must be a clip path such as polygon(0 0, 100% 0, 100% 80%, 0 100%)')
