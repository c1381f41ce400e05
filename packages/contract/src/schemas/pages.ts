import { z } from 'zod'
import { ListQuery, list, Removed, success, time } from './answers.ts'
import { cssClip, cssColor, cssLength, cssRadius, cssShadow } from './css.ts'
import { flag, httpUrl, imageFile, integerBetween, requiredText, slug, text, uuid } from './fields.ts'
import { Link } from './links.ts'
import { QrCode } from './qrcodes.ts'
import { switching } from './switching.ts'

/** Where the logo of a page stands. */
export const LogoPosition = z.enum(['top-left', 'top-right', 'top-center', 'bottom-left', 'bottom-right'])

/** How the social icons are aligned. */
export const SocialAlign = z.enum(['left', 'center', 'right'])

/** The networks whose marks we draw. */
export const SocialNetwork = z.enum(['facebook', 'instagram', 'whatsapp', 'twitter', 'youtube'])

/** The names of the nested description for the theme fields of the form schema. */
export const themeAliases = {
  bg: 'bgColor',
  text: 'textColor',
  subtext: 'subTextColor',
  buttonBg: 'buttonBgColor',
  buttonText: 'buttonTextColor',
  logoBg: 'logoBgColor',
  socialColor: 'socialIconColor',
} as const

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
  bg: color,
  text: color,
  subtext: color,
  buttonBg: color,
  buttonText: color,
  logoBg: color,
  socialColor: color,
  bodyBg: color,
}
// Forms turn a blank colour into null; either says that this end has none.
const end = cssColor.nullable()
const gradient = z.tuple([end, end], 'Must be a list of 2 colours')

const FormTheme = z.object({ ...themeFields, bggradient: gradient.nullish() })
const NestedTheme = z.object({ ...themeFields, bggradient: gradient })

const topShape = z.object({
  color,
  height: integerBetween(0, 2000).nullish(),
  clip: cssClip.nullish(),
})

const icon = { link: httpUrl.nullish(), bg: color }
const FormIcon = z
  .object({ name: SocialNetwork.optional(), icon: SocialNetwork.optional(), ...icon })
  .refine((value) => value.name !== undefined || value.icon !== undefined, {
    path: ['name'],
    error: 'This field is required',
    when: ({ value }) => hasNeither(value, 'name', 'icon'),
  })
const NestedIcon = z
  .object({ icon: requiredText(50).optional(), name: requiredText(50).optional(), ...icon })
  .refine((value) => value.name !== undefined || value.icon !== undefined, {
    path: ['icon'],
    error: 'This field is required',
    when: ({ value }) => hasNeither(value, 'name', 'icon'),
  })

const hasNeither = (value: unknown, one: string, other: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value as Record<string, unknown>)[one] === undefined &&
  (value as Record<string, unknown>)[other] === undefined

const number = z.number().refine(Number.isSafeInteger, 'Must be a whole number').meta({ type: 'integer' })
const FormImage = z.object({
  id: number.nullish(),
  src: httpUrl.nullish(),
  status: flag.nullish(),
  title: text(255).nullish(),
})
const NestedImage = z.object({ id: number, src: httpUrl, status: flag, title: text(255).nullish() })
const FormButton = z.object({
  id: number.nullish(),
  status: flag.nullish(),
  label: requiredText(255),
  url: httpUrl.nullish(),
})
const NestedButton = z.object({ id: number, status: flag, label: requiredText(255), url: httpUrl.nullish() })

/** A file or an entry: told apart before either is judged, so that the faults are those of what was sent. */
const imageOr = <T extends z.ZodType>(entry: T) => {
  const file = imageFile()
  return switching((value) => (isPlainObject(value) ? entry : file), [entry, file])
}
const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

/** One theme, or several of which the later wins. */
const merged = <T extends z.ZodType>(theme: T) => {
  const several = z.array(theme).max(20)
  return switching((value) => (Array.isArray(value) ? several : theme), [theme, several])
}

const MAX_IMAGES = 20
const MAX_BUTTONS = 100
const sharedFields = {
  title: requiredText(255),
  subtext: text(500).nullish(),
  subtitle: text(500).nullish().meta({ description: 'Another name of `subtext`' }),
  logoText: text(50).nullish(),
  logoPosition: LogoPosition,
  logo: imageFile().nullish(),
  socialAlign: SocialAlign.nullish(),
  topShape: topShape.nullish(),
}
const formFields = {
  ...sharedFields,
  domain: text(255).nullish(),
  logoStatus: flag.nullish(),
  socialIcons: z.array(FormIcon).max(20).nullish(),
  buttons: z.array(FormButton).min(1).max(MAX_BUTTONS),
  theme: merged(FormTheme).nullish(),
}
const nestedFields = {
  ...sharedFields,
  slug,
  domain: requiredText(255),
  logoStatus: flag,
  socialIcons: z.array(NestedIcon).max(20).nullish(),
  images: z.array(imageOr(NestedImage)).max(MAX_IMAGES).nullish(),
  buttons: z.array(NestedButton).min(1).max(MAX_BUTTONS).nullish(),
  theme: merged(NestedTheme),
}
const formImages = z.array(imageOr(FormImage)).max(MAX_IMAGES)

const PageFormCreate = z.object({ ...formFields, slug, images: formImages.min(1) })
const PageFormEdit = z.object({ uuid, ...formFields, slug: slug.nullish(), images: formImages.nullish() })
const PageNestedCreate = z.object(nestedFields)
const PageNestedEdit = z.object({ uuid, ...nestedFields })

const given = (value: unknown): boolean => value !== undefined && value !== null

/** Whether a request is in the nested structure, and so held to that list's required set. */
export const isNestedPage = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { logoStatus, topShape: shape, theme } = value as Record<string, unknown>
  const themes: unknown[] = Array.isArray(theme) ? theme : [theme]
  const hasGradient = themes.some((item) =>
    given((item as Record<string, unknown> | undefined | null)?.['bggradient']),
  )
  return given(logoStatus) || given(shape) || hasGradient
}

/** Every rule of a new page, in either description. */
export const PageCreate = switching(
  (value) => (isNestedPage(value) ? PageNestedCreate : PageFormCreate),
  [PageFormCreate, PageNestedCreate],
)

/** Every rule of an edited page, in either description. */
export const PageEdit = switching(
  (value) => (isNestedPage(value) ? PageNestedEdit : PageFormEdit),
  [PageFormEdit, PageNestedEdit],
)

const answeredColor = z.string().nullable()

/** The theme as it is answered: each value under both of its names. */
export const Theme = z.object({
  bgColor: answeredColor,
  bg: answeredColor,
  textColor: answeredColor,
  text: answeredColor,
  subTextColor: answeredColor,
  subtext: answeredColor,
  buttonBgColor: answeredColor,
  buttonBg: answeredColor,
  buttonTextColor: answeredColor,
  buttonText: answeredColor,
  logoBgColor: answeredColor,
  logoBg: answeredColor,
  socialIconColor: answeredColor,
  socialColor: answeredColor,
  borderWidth: z.string().nullable(),
  borderColor: answeredColor,
  borderRadius: z.string().nullable(),
  boxShadow: z.string().nullable(),
  bodyBg: answeredColor,
  bggradient: z.tuple([answeredColor, answeredColor]).nullable(),
})

/** A page as it is answered: one shape, the union of both descriptions. */
export const Page = z.object({
  uuid: z.string(),
  title: z.string(),
  subtext: z.string().nullable(),
  subtitle: z.string().nullable(),
  slug: z.string(),
  domain: z.string(),
  logoText: z.string().nullable(),
  logoStatus: z.int(),
  logoPosition: LogoPosition,
  logo: z.string().nullable(),
  theme: Theme,
  topShape: z.object({
    color: z.string().nullable(),
    height: z.int().nullable(),
    clip: z.string().nullable(),
  }),
  socialAlign: SocialAlign,
  socialIcons: z.array(
    z.object({ name: z.string(), icon: z.string(), link: z.string().nullable(), bg: z.string().nullable() }),
  ),
  images: z.array(z.object({ id: z.int(), src: z.string(), status: z.int(), title: z.string().nullable() })),
  buttons: z.array(z.object({ id: z.int(), status: z.int(), label: z.string(), url: z.string().nullable() })),
  page_url: z.string(),
  short_link: Link,
  qr_code: QrCode,
  views: z.int(),
  created_at: time,
  updated_at: time,
})

/** Body, query and answer of every operation on pages. */
export const pageSchemas = {
  pages: { query: ListQuery, answer: list(Page) },
  generatePage: { body: PageCreate, answer: success(Page) },
  editPage: { body: PageEdit, answer: success(Page) },
  removePage: { body: z.object({ uuid }), answer: success(Removed) },
}
