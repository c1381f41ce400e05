import type { Page } from '@waymark/sdk'
import { namedBy } from '../../forms/field-names.ts'
import type { useForm } from '../../forms/use-form.ts'
import { emptyTheme, type ThemeValues, themeOf } from './themes.ts'

export interface ButtonValue {
  /** Identifies the row in the list, by its `id`. */
  key: string
  id: number
  label: string
  url: string
  isShown: boolean
  /** A link, or a block between links. */
  type: Page['buttons'][number]['type']
  /** The URL of its picture, or of a chosen file until it is uploaded. */
  image: string | null
  /** The fields of a contact card as they are typed. */
  contact: ContactValues
}

export type ContactValues = Readonly<Record<string, string>>

/** A new button, or another block. */
export const blankButton: Omit<ButtonValue, 'key' | 'id'> = {
  label: '',
  url: '',
  isShown: true,
  type: 'link',
  image: null,
  contact: {},
}

export interface ImageValue {
  key: string
  /** Undefined while it is only in this browser. */
  id: number | undefined
  file?: File | undefined
  src: string
  title: string
  isShown: boolean
}

export interface IconValue {
  key: string
  name: string
  link: string
  bg: string
}

export interface PageValues {
  title: string
  subtext: string
  slug: string
  domain: string
  logoText: string
  logoPosition: Page['logoPosition']
  hasLogo: boolean
  /** The URL in the preview. */
  logo: string | null
  /** The file to upload; null removes the stored one; undefined keeps it. */
  logoFile: File | null | undefined
  socialAlign: Page['socialAlign']
  icons: IconValue[]
  images: ImageValue[]
  buttons: ButtonValue[]
  theme: ThemeValues
  shape: { color: string; height: number; clip: string }
}

/** The builder's form, as passed to its groups of fields. */
export type PageFormState = ReturnType<typeof useForm<PageValues>>

let lastKey = 0
/** A key for a new row. */
export const newKey = (): string => `new-${++lastKey}`

export const nextId = (items: readonly { id: number | undefined }[]): number =>
  Math.max(0, ...items.map((item) => item.id ?? 0)) + 1

const emptyPage = (): PageValues => ({
  title: '',
  subtext: '',
  slug: '',
  domain: '',
  logoText: '',
  logoPosition: 'top-center',
  hasLogo: true,
  logo: null,
  logoFile: undefined,
  socialAlign: 'center',
  icons: [],
  images: [],
  buttons: [{ ...blankButton, key: 'id-1', id: 1 }],
  theme: emptyTheme,
  shape: { color: '', height: 0, clip: '' },
})

type PageVersion = NonNullable<Page['unpublished']>

/** The edited version of a page: its draft, or otherwise the published one. */
export const editedVersion = (page: Page): PageVersion => page.unpublished ?? page

/** The form values of a page, or of a new one. Images that the form already shows keep their row keys. */
export const pageValuesOf = (saved: Page | null, shown: readonly ImageValue[] = []): PageValues =>
  saved === null ? emptyPage() : versionValues(editedVersion(saved), shown)

const versionValues = (page: PageVersion, shown: readonly ImageValue[]): PageValues => ({
  title: page.title,
  subtext: page.subtext ?? '',
  slug: page.slug,
  domain: page.domain,
  logoText: page.logoText ?? '',
  logoPosition: page.logoPosition,
  hasLogo: page.logoStatus === 1,
  logo: page.logo,
  logoFile: undefined,
  socialAlign: page.socialAlign,
  icons: page.socialIcons.map(({ name, link, bg }) => ({
    key: newKey(),
    name,
    link: link ?? '',
    bg: bg ?? '',
  })),
  images: page.images.map(({ id, src, status, title }) => ({
    key: shown.find((image) => image.id === id)?.key ?? `id-${id}`,
    id,
    src,
    title: title ?? '',
    isShown: status === 1,
  })),
  buttons: page.buttons.map(({ id, label, url, status, type, image, contact }) => ({
    key: `id-${id}`,
    id,
    label,
    url: url ?? '',
    isShown: status === 1,
    type,
    image,
    contact: Object.fromEntries(
      Object.entries(contact ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
  })),
  theme: themeOf(page.theme),
  shape: {
    color: page.topShape.color ?? '',
    height: page.topShape.height ?? 0,
    clip: page.topShape.clip ?? '',
  },
})

/** The label of a field in the builder. */
export const nameOfField = namedBy({
  title: 'Title',
  subtext: 'Description',
  slug: 'Page URL',
  domain: 'Domain',
  logo: 'Logo',
  logoText: 'Text beside the logo',
  logoPosition: 'Position of the logo',
  hasLogo: 'Show logo',
  socialAlign: 'Alignment of the icons',
  icons: 'Social icons',
  images: 'Images',
  buttons: 'Buttons',
  label: 'label',
  url: 'URL',
  isShown: 'visibility',
  contact: 'contact',
  theme: 'Theme',
  shape: 'Top shape',
})

/** A slug derived from a title, until the user edits it. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 60)
