import { assert, integer, option, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, mix } from './colors.ts'
import { palettesOf, type Palette } from './palette.ts'

const color = integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

const standsOn = ({ box, body }: Palette): readonly string[] => (box.length > 0 ? box : body)

describe('default colours are readable', () => {
  it('on any background', () => {
    assert(
      property(color, (bgColor) => {
        for (const palette of palettesOf({ bgColor })) {
          expect(contrast(palette.text, bgColor)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(palette.subtext, bgColor)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(palette.button, palette.buttonText)).toBeGreaterThanOrEqual(4.5)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('on any gradient, all the way', () => {
    assert(
      property(color, color, (from, to) => {
        const [palette] = palettesOf({ bggradient: [from, to] })
        const [start = '', end = start] = standsOn(palette)
        for (const share of [0, 0.25, 0.5, 0.75, 1]) {
          const ground = mix(start, end, share)
          expect(contrast(palette.text, ground)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(palette.subtext, ground)).toBeGreaterThanOrEqual(4.5)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('on buttons of any colour, and on buttons with labels of any colour', () => {
    assert(
      property(color, option(color), (chosen, bgColor) => {
        for (const palette of palettesOf({ buttonBgColor: chosen, bgColor }))
          expect(contrast(palette.buttonText, chosen)).toBeGreaterThanOrEqual(4.5)
        for (const palette of palettesOf({ buttonTextColor: chosen, bgColor }))
          expect(contrast(palette.button, chosen)).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 2000 },
    )
  })

  it('on a logo background of any colour', () => {
    assert(
      property(color, (logoBgColor) => {
        for (const palette of palettesOf({ logoBgColor }))
          expect(contrast(palette.logoText, logoBgColor)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('without a theme, in light and dark mode', () => {
    const palettes = palettesOf({})
    expect(palettes.map(({ scheme }) => scheme)).toEqual(['light', 'dark'])
    for (const { text, subtext, body, button, buttonText } of palettes) {
      expect(contrast(text, body[0] ?? '')).toBeGreaterThan(12)
      expect(contrast(subtext, body[0] ?? '')).toBeGreaterThan(5)
      expect(contrast(button, buttonText)).toBeGreaterThan(12)
    }
  })
})

describe('chosen colours are kept', () => {
  it('even if the default would differ', () => {
    const theme = {
      bgColor: '#ffffff',
      textColor: '#eeeeee',
      subTextColor: '#dddddd',
      socialIconColor: '#cccccc',
    }
    expect(palettesOf(theme)).toMatchObject([{ text: '#eeeeee', subtext: '#dddddd', social: '#cccccc' }])
  })

  it('with a body colour, the background applies to the box', () => {
    expect(palettesOf({ bodyBg: '#111111', bgColor: '#fafafa' })).toMatchObject([
      { body: ['#111111'], box: ['#fafafa'], scheme: 'light' },
    ])
    expect(palettesOf({ bgColor: '#fafafa' })).toMatchObject([{ body: ['#fafafa'], box: [] }])
    expect(palettesOf({ bodyBg: '#111111', boxShadow: '0 0 9px #000' })).toMatchObject([
      { body: ['#111111'], box: ['#1d1e26'], scheme: 'dark' },
    ])
  })

  it('a text colour without a background gets a readable one', () => {
    expect(palettesOf({ textColor: '#ffffff' })).toMatchObject([{ scheme: 'dark' }])
    expect(palettesOf({ textColor: '#222222' })).toMatchObject([{ scheme: 'light' }])
  })

  it('invalid colours are ignored', () => {
    expect(palettesOf({ bgColor: 'red;}', textColor: '#12' })).toEqual(palettesOf({}))
  })
})
