import { z } from 'zod'
import { isClipPath, isLength, isRadius, isShadow } from './css-grammar.ts'
import { hexColor, ruled } from './fields.ts'

/*
 * Values of a theme. Every value ends up in a style sheet of a public page, so each must match a small grammar of its
 * property; nothing that could close a declaration, open a URL or call a function is accepted.
 */

const withUnit = (value: string): string =>
  /^\d{1,5}(?:\.\d{1,4})?$/.test(value) && Number(value) !== 0 ? `${value}px` : value

const css = (test: (value: string) => boolean, rule: string) =>
  ruled()
    .max(2048, 'Must be at most 2048 characters')
    // The style sheet of a page has no white space except spaces.
    .transform((value) => withUnit(value.trim().replaceAll(/[\t\n\f\r]/g, ' ')))
    .refine((value) => value === '' || test(value), rule)
    // A blank value counts as absent.
    .transform((value) => (value === '' ? null : value))

/** A colour of the theme; blank means none. */
export const cssColor = z.union([z.literal('').transform(() => null), hexColor], {
  error: 'Must be a hex colour such as #1a2b3c',
})

/** A length such as `2px`; a bare number is pixels. */
export const cssLength = css(isLength, 'Must be a length such as 2px')

/** One to four lengths or percentages. */
export const cssRadius = css(isRadius, 'Must be a radius such as 12px')

/** A box shadow of up to eight layers, or `none`. */
export const cssShadow = css(isShadow, 'Must be a shadow such as 0 2px 8px rgba(0, 0, 0, 0.2)')

/** A clip path by a basic shape, or `none`. */
export const cssClip = css(isClipPath, 'Must be a clip path such as polygon(0 0, 100% 0, 100% 80%, 0 100%)')
