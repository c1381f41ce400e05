import type { Data, themeAliases } from '@waymark/contract/schemas'

type Page = Data<'generatePage'>

/** A stored file. */
export interface StoredPicture {
  readonly hash: string
  readonly width: number
  readonly height: number
}

/** A picture of a page: a stored file, or an external URL, which is never fetched. */
export interface StoredImage {
  readonly id: number
  readonly status: 0 | 1
  readonly title: string | null
  readonly picture: StoredPicture | null
  readonly src: string | null
}

/** The thumbnail of a button: a stored file, or an external URL, which is never fetched. */
type StoredThumbnail = { readonly picture: StoredPicture } | { readonly src: string }

/** A button in its stored form. */
export interface StoredButton extends Omit<Page['buttons'][number], 'image'> {
  readonly image: StoredThumbnail | null
}

/** The contact of a card. */
export type CardContact = NonNullable<StoredButton['contact']>

export type StoredTheme = {
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

export const EMPTY_THEME: StoredTheme = {
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

/** A stored button with the fields that older buttons lack. */
const withBlockFields = (stored: StoredButton): StoredButton => {
  const { type, image, contact } = stored as Partial<StoredButton>
  return { ...stored, type: type ?? 'link', image: image ?? null, contact: contact ?? null }
}

/** The name of a contact: the person, else the organisation. */
export const nameOfContact = ({ first_name, last_name, organisation }: CardContact): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (organisation ?? '')
