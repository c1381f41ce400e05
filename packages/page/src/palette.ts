import { contrast, inkOn, leastContrast, luminance, mix, quieter, READABLE } from './colors.ts'
import { colorOf, cssValue } from './css-value.ts'
import type { PageTheme } from './view.ts'

/** Light or dark mode. */
export type Scheme = 'light' | 'dark'

/** Every colour of a page: `#rrggbb`, or with two more digits for transparency. */
export interface Palette {
  readonly scheme: Scheme
  /** The background of the page: one colour, or the two ends of a gradient. */
  readonly body: readonly string[]
  /** The background of the content; empty if the content is directly on the body. */
  readonly box: readonly string[]
  readonly text: string
  readonly subtext: string
  readonly line: string
  readonly button: string
  readonly buttonText: string
  /** Outline for buttons with little contrast to their background. */
  readonly buttonLine: string
  readonly social: string
  readonly socialGround: string
  readonly border: string
  readonly logoGround: string | null
  readonly logoText: string
}

const defaults = {
  light: { body: '#f6f4ef', surface: '#ffffff', text: '#15151b', subtext: '#5d5b66' },
  dark: { body: '#101116', surface: '#1d1e26', text: '#f4f3f6', subtext: '#aaa9b8' },
} as const

const GRADIENT_SAMPLES = [0, 0.25, 0.5, 0.75, 1]

const present = (values: readonly (string | null | undefined)[]): string[] =>
  values.map(colorOf).filter((value) => value !== null)

/** The colours of a background, including some between the ends of a gradient. */
const met = (ground: readonly string[]): string[] => {
  const [from, to] = ground
  return from === undefined || to === undefined
    ? [...ground]
    : GRADIENT_SAMPLES.map((share) => mix(from, to, share))
}

const schemeOf = (grounds: readonly string[]): Scheme => (luminance(inkOn(grounds)) > 0.5 ? 'dark' : 'light')

/** Whether the theme has settings of the box, so that it must be visible. */
const wantsBox = (theme: PageTheme): boolean =>
  [cssValue(theme.borderWidth), colorOf(theme.borderColor), cssValue(theme.boxShadow)].some(
    (value) => value !== null,
  )

/** All background colours in a theme. */
const ownGrounds = (theme: PageTheme): string[] =>
  present([theme.bgColor, theme.bodyBg, ...(theme.bggradient ?? [])])

/** Whether a theme has no background. */
export const isPlain = (theme: PageTheme): boolean => ownGrounds(theme).length === 0

interface Grounds {
  readonly body: readonly string[]
  readonly box: readonly string[]
}

const groundsOf = (theme: PageTheme, scheme: Scheme): Grounds => {
  const gradient = present(theme.bggradient ?? [])
  const own = gradient.length > 0 ? gradient : present([theme.bgColor])
  const outer = present([theme.bodyBg])
  const text = colorOf(theme.textColor)
  if (outer.length > 0) {
    const surface = own.length === 0 && wantsBox(theme) ? [defaults[schemeOf(outer)].surface] : []
    return { body: outer, box: own.length > 0 ? own : surface }
  }
  if (own.length === 0) {
    const { body, surface } = defaults[scheme]
    return { body: [body], box: wantsBox(theme) ? [surface] : [] }
  }
  if (wantsBox(theme)) return { body: own, box: own.slice(0, 1) }
  // No colour is readable everywhere on a gradient from light to dark, so the text gets its own box.
  const isReadable = text !== null || leastContrast(inkOn(met(own)), met(own)) >= READABLE
  return { body: own, box: isReadable ? [] : [defaults.light.surface] }
}

const buttonColors = (
  theme: PageTheme,
  standsOn: readonly string[],
  text: string,
  surface: string | null,
): { button: string; buttonText: string } => {
  const [ground, label] = [colorOf(theme.buttonBgColor), colorOf(theme.buttonTextColor)]
  if (ground !== null) return { button: ground, buttonText: label ?? inkOn([ground]) }
  if (surface !== null) {
    const button = label === null || contrast(label, surface) >= READABLE ? surface : inkOn([label])
    return { button, buttonText: label ?? inkOn([surface]) }
  }
  // On a background that the owner chose: the theme's colours inverted.
  if (label !== null)
    return { button: contrast(label, text) >= READABLE ? text : inkOn([label]), buttonText: label }
  const [best = text] = standsOn.toSorted((a, b) => contrast(b, text) - contrast(a, text))
  return { button: text, buttonText: contrast(best, text) >= READABLE ? best : inkOn([text]) }
}

const paletteOf = (theme: PageTheme, asked: Scheme): Palette => {
  const { body, box } = groundsOf(theme, asked)
  const standsOn = met(box.length > 0 ? box : body)
  const isDefault = isPlain(theme)
  const scheme = isDefault ? asked : schemeOf(standsOn)
  const text = colorOf(theme.textColor) ?? (isDefault ? defaults[scheme].text : inkOn(standsOn))
  const { surface } = defaults[scheme]
  const buttonSurface = isDefault ? (box.length > 0 ? mix(surface, text, 0.06) : surface) : null
  const { button, buttonText } = buttonColors(theme, standsOn, text, buttonSurface)
  const logoGround = colorOf(theme.logoBgColor)
  const isQuiet = leastContrast(button, standsOn) < 1.6
  return {
    scheme,
    body,
    box,
    text,
    subtext:
      colorOf(theme.subTextColor) ??
      (isDefault && colorOf(theme.textColor) === null ? defaults[scheme].subtext : quieter(text, standsOn)),
    line: `${text}24`,
    button,
    buttonText,
    buttonLine: isQuiet ? mix(button, buttonText, 0.1) : button,
    social: colorOf(theme.socialIconColor) ?? text,
    socialGround: isDefault ? (buttonSurface ?? surface) : `${text}1f`,
    border: colorOf(theme.borderColor) ?? `${text}2e`,
    logoGround,
    logoText: logoGround === null ? text : inkOn([logoGround]),
  }
}

/**
 * The colours of a theme: one palette if it determines light or dark, by a background or by a text colour that is readable
 * in only one of them; otherwise both.
 */
export const palettesOf = (theme: PageTheme): readonly [Palette] | readonly [Palette, Palette] => {
  if (!isPlain(theme)) return [paletteOf(theme, 'light')]
  const texts = present([theme.textColor, theme.subTextColor])
  if (texts.length > 0) {
    const suits = (scheme: Scheme): number => leastContrast(defaults[scheme].body, texts)
    return [paletteOf(theme, suits('light') >= suits('dark') ? 'light' : 'dark')]
  }
  return [paletteOf(theme, 'light'), paletteOf(theme, 'dark')]
}
