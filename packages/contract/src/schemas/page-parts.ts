import { z } from 'zod'
import { cssClip, cssColor, cssLength, cssRadius, cssShadow } from './css.ts'
import { described, named } from './described.ts'
import { flag, httpUrl, imageFile, integerBetween, required, singleLine } from './fields.ts'
import { switching } from './switching.ts'

/** The networks that have a logo. */
export const SocialNetwork = z.enum(['facebook', 'instagram', 'whatsapp', 'twitter', 'youtube'])

/** The fonts that a page can have. */
export const PageFont = z.enum(['overpass', 'overpass-mono', 'serif', 'rounded'])

/** The names of theme fields in the nested schema, by those of the form schema. */
export const themeAliases = {
  bg: 'bgColor',
  text: 'textColor',
  subtext: 'subTextColor',
  buttonBg: 'buttonBgColor',
  buttonText: 'buttonTextColor',
  logoBg: 'logoBgColor',
  socialColor: 'socialIconColor',
} as const

const themeTexts = {
  bgColor: 'Background colour.',
  textColor: 'Colour of the title.',
  subTextColor: 'Colour of the text below the title.',
  buttonBgColor: 'Background colour of the buttons.',
  buttonTextColor: 'Text colour of the buttons.',
  logoBgColor: 'Background colour of the logo.',
  borderWidth: 'Border width of the buttons (CSS length).',
  borderColor: 'Border colour of the buttons.',
  borderRadius: 'Corner radius of the buttons (CSS length).',
  boxShadow: 'Shadow of the buttons (CSS `box-shadow`).',
  socialIconColor: 'Colour of the social icons.',
  font: 'The font: `overpass` and `overpass-mono` are served with the page, `serif` and `rounded` are fonts of the visitor’s system. Null: the sans serif of the system.',
  bg: 'Another name of `bgColor`.',
  text: 'Another name of `textColor`.',
  subtext: 'Another name of `subTextColor`.',
  buttonBg: 'Another name of `buttonBgColor`.',
  buttonText: 'Another name of `buttonTextColor`.',
  logoBg: 'Another name of `logoBgColor`.',
  socialColor: 'Another name of `socialIconColor`.',
  bodyBg: 'Colour around the page.',
  bggradient: 'Start and end colour of the background gradient.',
}

const color = cssColor.nullish()
const themeFields = {
  bgColor: color,
  textColor: color,
  subTextColor: color,
  buttonBgColor: color,
  buttonTextColor: color,
  logoBgColor: color,
  borderWidth: cssLength.nullish(),
  borderColor: color,
  borderRadius: cssRadius.nullish(),
  boxShadow: cssShadow.nullish(),
  socialIconColor: color,
  font: PageFont.nullish(),
  bg: color,
  text: color,
  subtext: color,
  buttonBg: color,
  buttonText: color,
  logoBg: color,
  socialColor: color,
  bodyBg: color,
}
// Forms convert a blank colour to null; both mean that this end has none.
const end = cssColor.nullable()
const gradient = z.tuple([end, end], 'Must be a list of 2 colours')

/** A theme in the form schema. */
const FormTheme = named(
  'PageThemeInput',
  'The theme of a page.',
  z.object(described(themeTexts, { ...themeFields, bggradient: gradient.nullish() })),
)
/** A theme in the nested structure, which must have its gradient. */
const NestedTheme = named(
  'NestedPageThemeInput',
  'The theme of a page in the nested structure.',
  z.object(described(themeTexts, { ...themeFields, bggradient: gradient })),
)

const shapeTexts = {
  color: 'Colour of the shape.',
  height: 'Height of the shape in pixels.',
  clip: 'Outline of the shape (CSS `clip-path`).',
}
/** The shape at the top of a page, in both schemas. */
export const topShape = named(
  'PageTopShapeInput',
  'The shape at the top of a page.',
  z.object(
    described(shapeTexts, { color, height: integerBetween(0, 2000).nullish(), clip: cssClip.nullish() }),
  ),
)

const iconTexts = {
  name: 'The network.',
  icon: 'Another name of `name`.',
  link: 'Where the icon leads.',
  bg: 'Background colour of the icon.',
}
const icon = { link: httpUrl.nullish(), bg: color }
/** A social icon in the form schema. */
export const FormIcon = named(
  'PageSocialIconInput',
  'A social icon of a page.',
  z
    .object(described(iconTexts, { name: SocialNetwork.optional(), icon: SocialNetwork.optional(), ...icon }))
    .refine((value) => value.name !== undefined || value.icon !== undefined, {
      path: ['name'],
      error: 'This field is required',
      when: ({ value }) => hasNeither(value, 'name', 'icon'),
    }),
)
/** A social icon in the nested structure: any network, with a generic icon for unknown ones. */
export const NestedIcon = named(
  'NestedPageSocialIconInput',
  'A social icon of a page in the nested structure.',
  z
    .object(
      described(iconTexts, {
        icon: required(singleLine(50)).optional(),
        name: required(singleLine(50)).optional(),
        ...icon,
      }),
    )
    .refine((value) => value.name !== undefined || value.icon !== undefined, {
      path: ['icon'],
      error: 'This field is required',
      when: ({ value }) => hasNeither(value, 'name', 'icon'),
    }),
)

const hasNeither = (value: unknown, one: string, other: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value as Record<string, unknown>)[one] === undefined &&
  (value as Record<string, unknown>)[other] === undefined

/** Identifies a row of a page. */
export const rowId = z
  .number()
  .refine(Number.isSafeInteger, 'Must be a whole number')
  .meta({ type: 'integer' })
const imageTexts = {
  id: 'Identifies the image on this page.',
  src: 'URL of the image.',
  status: '1 shows the image, 0 hides it.',
  title: 'Text for visitors who cannot see the image.',
}
/** An image entry in the form schema. */
export const FormImage = named(
  'PageImageInput',
  'An image of a page that has an address.',
  z.object(
    described(imageTexts, {
      id: rowId.nullish(),
      src: httpUrl.nullish(),
      status: flag.nullish(),
      title: singleLine().nullish(),
    }),
  ),
)
/** An image entry in the nested structure. */
export const NestedImage = named(
  'NestedPageImageInput',
  'An image of a page in the nested structure.',
  z.object(described(imageTexts, { id: rowId, src: httpUrl, status: flag, title: singleLine().nullish() })),
)
/** A file or an entry: decided before validation, so that errors refer to what was sent. */
export const imageOr = <T extends z.ZodType>(entry: T) => {
  const file = imageFile()
  return switching((value) => (isPlainObject(value) ? entry : file), [entry, file])
}
const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

const MAX_THEMES = 20
const formThemes = z.array(FormTheme).max(MAX_THEMES)

/** One theme in the form schema, or several, of which the later ones take precedence. */
export const formTheme = switching(
  (value) => (Array.isArray(value) ? formThemes : FormTheme),
  [FormTheme, formThemes],
)

/** One of the themes must have the gradient, not each of them. */
const nestedThemes = z
  .array(FormTheme)
  .max(MAX_THEMES)
  .refine((themes) => themes.some((theme) => theme?.bggradient != null), {
    path: ['bggradient'],
    error: 'This field is required',
    // Checked even if other fields are invalid.
    when: ({ value }) => Array.isArray(value),
  })

/** A theme in the nested structure. */
export const nestedTheme = switching(
  (value) => (Array.isArray(value) ? nestedThemes : NestedTheme),
  [NestedTheme, nestedThemes],
)

const returnedColor = z.string().nullable()

/** The theme in responses: each value under both of its names. */
export const Theme = named(
  'PageTheme',
  'The theme of a page. Each value is returned under both names.',
  z.object(
    described(themeTexts, {
      bgColor: returnedColor,
      bg: returnedColor,
      textColor: returnedColor,
      text: returnedColor,
      subTextColor: returnedColor,
      subtext: returnedColor,
      buttonBgColor: returnedColor,
      buttonBg: returnedColor,
      buttonTextColor: returnedColor,
      buttonText: returnedColor,
      logoBgColor: returnedColor,
      logoBg: returnedColor,
      socialIconColor: returnedColor,
      socialColor: returnedColor,
      borderWidth: z.string().nullable(),
      borderColor: returnedColor,
      borderRadius: z.string().nullable(),
      boxShadow: z.string().nullable(),
      font: PageFont.nullable(),
      bodyBg: returnedColor,
      bggradient: z.tuple([returnedColor, returnedColor]).nullable(),
    }),
  ),
)

/** The shape at the top of a page in responses. */
export const TopShape = named(
  'PageTopShape',
  'The shape at the top of a page.',
  z.object(
    described(shapeTexts, {
      color: z.string().nullable(),
      height: z.int().nullable(),
      clip: z.string().nullable(),
    }),
  ),
)
/** A social icon of a page in responses. */
export const SocialIcon = named(
  'PageSocialIcon',
  'A social icon of a page.',
  z.object(
    described(iconTexts, {
      name: z.string(),
      icon: z.string(),
      link: z.string().nullable(),
      bg: z.string().nullable(),
    }),
  ),
)
/** An image of a page in responses. */
export const PageImage = named(
  'PageImage',
  'An image of a page.',
  z.object(
    described(imageTexts, { id: z.int(), src: z.string(), status: z.int(), title: z.string().nullable() }),
  ),
)
