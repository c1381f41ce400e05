import { type Body, type Data, isNestedPage, themeAliases } from '@waymark/contract/schemas'
import { definedOf } from '../owned/field-map.ts'
import { filesOfButtons, readButtons, type StoredButton, withBlockFields } from './page-buttons.ts'
import { readImages, type StoredImage, type StoredPicture, storedPicture } from './page-images.ts'

export type Page = Data<'generatePage'>
export type PageCreate = Body<'generatePage'>
export type PageEdit = Body<'editPage'>
/** An edit with changes, unlike one that only publishes the draft. */
export type PageChanges = Extract<PageEdit, { title: string }>

type StoredTheme = {
  readonly [K in Exclude<keyof Page['theme'], keyof typeof themeAliases>]: Page['theme'][K]
}

/** A page in its stored form: every value once, under its name in the form schema. */
export interface PageConfig {
  readonly logo: StoredPicture | null
  readonly logoText: string | null
  readonly logoStatus: 0 | 1
  readonly logoPosition: Page['logoPosition']
  readonly theme: StoredTheme
  readonly topShape: Page['topShape']
  readonly socialAlign: Page['socialAlign']
  readonly socialIcons: readonly { name: string; link: string | null; bg: string | null }[]
  readonly images: readonly StoredImage[]
  readonly buttons: readonly StoredButton[]
}

/** The content of a page, without slug and domain. */
export interface PageContent {
  readonly title: string
  readonly subtext: string | null
  readonly config: PageConfig
}

const EMPTY_THEME: StoredTheme = {
  bgColor: null,
  textColor: null,
  subTextColor: null,
  buttonBgColor: null,
  buttonTextColor: null,
  logoBgColor: null,
  socialIconColor: null,
  borderWidth: null,
  borderColor: null,
  borderRadius: null,
  boxShadow: null,
  font: null,
  bodyBg: null,
  bggradient: null,
}

const EMPTY_SHAPE: PageConfig['topShape'] = { color: null, height: null, clip: null }

const NOTHING: PageConfig = {
  logo: null,
  logoText: null,
  logoStatus: 1,
  logoPosition: 'top-center',
  theme: EMPTY_THEME,
  topShape: EMPTY_SHAPE,
  socialAlign: 'center',
  socialIcons: [],
  images: [],
  buttons: [],
}

const nestedNames = Object.fromEntries(Object.entries(themeAliases).map(([nested, form]) => [form, nested]))

/**
 * The value under one of two names. If they differ, the first counts, unless it equals the current value: a page that is
 * sent back with a change has the old value under the other name.
 */
const either = <T>(first: T, second: T, before?: T): T =>
  second === undefined || (first != null && first !== before) ? first : second

/** Omitted fields do not change, and null is the default. */
const edited = <T>(given: T | null | undefined, before: T, initial: T): T =>
  given === undefined ? before : (given ?? initial)

type GivenTheme = PageCreate['theme']

/** Several themes are merged; within one, the names of the request's own schema take precedence. */
const readTheme = (given: GivenTheme, nested: boolean, before: StoredTheme): StoredTheme => {
  const layers = [given ?? []].flat() as Record<string, unknown>[]
  const theme: Record<string, unknown> = { ...EMPTY_THEME }
  for (const layer of layers) {
    for (const name of Object.keys(EMPTY_THEME)) {
      const [own, other] = [layer[name], layer[nestedNames[name] ?? name]]
      const old: unknown = before[name as keyof StoredTheme]
      const value = nested ? either(other, own, old) : either(own, other, old)
      if (value !== undefined) theme[name] = value
    }
  }
  return { ...(theme as unknown as StoredTheme), bggradient: readGradient(theme['bggradient']) }
}

/** A gradient without colours is null. */
const readGradient = (given: unknown): StoredTheme['bggradient'] => {
  const ends = given as StoredTheme['bggradient']
  return ends?.some((color) => color !== null && color !== '') === true ? ends : null
}

const readIcons = (given: PageCreate['socialIcons'], nested: boolean): PageConfig['socialIcons'] =>
  (given ?? []).map(({ name, icon, link, bg }) => ({
    name: (nested ? either(icon, name) : either(name, icon)) ?? '',
    link: link ?? null,
    bg: bg ?? null,
  }))

/**
 * The content after a request; both schemas of a page have the same result. It can refer to pictures of `versions`, too:
 * those of the published page in its draft.
 */
export const readPage = (
  input: PageCreate | PageChanges,
  before: PageContent | undefined,
  mediaUrl: (hash: string) => string,
  versions: readonly PageConfig[] = [],
): PageContent => {
  const nested = isNestedPage(input)
  const old = before?.config ?? NOTHING
  const known = [old, ...versions]
  const subtext = nested
    ? either(input.subtitle, input.subtext, before?.subtext)
    : either(input.subtext, input.subtitle, before?.subtext)
  const { logo, theme, topShape, socialIcons, images, buttons } = input
  return {
    title: input.title,
    subtext: blankAsNull(edited(subtext, before?.subtext ?? null, null)),
    config: {
      logo: logo === undefined ? old.logo : logo === null ? null : storedPicture(logo),
      logoText: blankAsNull(edited(input.logoText, old.logoText, null)),
      logoStatus: edited(input.logoStatus, old.logoStatus, 1),
      logoPosition: input.logoPosition,
      theme: theme === undefined ? old.theme : readTheme(theme, nested, old.theme),
      topShape: topShape === undefined ? old.topShape : { ...EMPTY_SHAPE, ...definedOf(topShape ?? {}) },
      socialAlign: edited(input.socialAlign, old.socialAlign, 'center'),
      socialIcons: socialIcons === undefined ? old.socialIcons : readIcons(socialIcons, nested),
      images:
        images === undefined
          ? old.images
          : readImages(
              images ?? [],
              known.flatMap((version) => version.images),
              mediaUrl,
            ),
      buttons:
        buttons === undefined
          ? old.buttons
          : readButtons(
              buttons ?? [],
              known.flatMap((version) => version.buttons),
              mediaUrl,
            ),
    },
  }
}

const blankAsNull = (text: string | null): string | null => (text === '' ? null : text)

/** The hashes of all files of a page. */
export const filesOf = ({ logo, images, buttons }: PageConfig): Set<string> =>
  new Set([
    ...(logo === null ? [] : [logo.hash]),
    ...images.flatMap((image) => image.picture?.hash ?? []),
    ...filesOfButtons(buttons),
  ])

/** The page's configuration in its row. */
export const configOf = (row: { readonly config: string }): PageConfig => {
  const config = JSON.parse(row.config) as PageConfig
  // Older themes have no font.
  return {
    ...config,
    theme: { ...EMPTY_THEME, ...config.theme },
    buttons: config.buttons.map(withBlockFields),
  }
}
