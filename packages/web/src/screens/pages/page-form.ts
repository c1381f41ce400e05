import type { PageView } from '@waymark/page'
import type { Input, Page } from '@waymark/sdk'
import { namedBy } from '../../forms/field-names.ts'
import { orNull } from '../../forms/or-null.ts'
import type { useForm } from '../../forms/use-form.ts'
import { withScheme } from '../../ui/addresses.ts'
import { emptyTheme, gradientOf, type ThemeValues, themeOf } from './themes.ts'

export interface ButtonValue {
  /** Names the row in the list, by its `id`. */
  key: string
  id: number
  label: string
  url: string
  isShown: boolean
  /** A link, or a block between links. */
  type: Page['buttons'][number]['type']
  /** The address of its thumbnail. */
  image: string | null
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
  /** What the preview shows. */
  logo: string | null
  /** What is to be uploaded; null removes the stored one; undefined keeps it. */
  logoFile: File | null | undefined
  socialAlign: Page['socialAlign']
  icons: IconValue[]
  images: ImageValue[]
  buttons: ButtonValue[]
  theme: ThemeValues
  shape: { color: string; height: number; clip: string }
}

/** The builder's form, as its groups of fields get it. */
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
  buttons: [{ key: 'id-1', id: 1, label: '', url: '', isShown: true, type: 'link', image: null }],
  theme: emptyTheme,
  shape: { color: '', height: 0, clip: '' },
})

/** The builder's values for a page, or for a new one. Images that the form shows already keep the names of their rows. */
export const pageValuesOf = (page: Page | null, shown: readonly ImageValue[] = []): PageValues =>
  page === null
    ? emptyPage()
    : {
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
        buttons: page.buttons.map(({ id, label, url, status, type, image }) => ({
          key: `id-${id}`,
          id,
          label,
          url: url ?? '',
          isShown: status === 1,
          type,
          image,
        })),
        theme: themeOf(page.theme),
        shape: {
          color: page.topShape.color ?? '',
          height: page.topShape.height ?? 0,
          clip: page.topShape.clip ?? '',
        },
      }

/** What the builder calls a field. */
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
  theme: 'Theme',
  shape: 'Top shape',
})

const status = (isShown: boolean): 0 | 1 => (isShown ? 1 : 0)

/**
 * The request, in the nested structure: the only one of the two that carries everything the builder shows, and lets a
 * page be without images.
 */
export const pageBody = (values: PageValues, saved: Page | null): Input<'generatePage'> => {
  const { theme, shape, images } = values
  const body = {
    title: values.title,
    subtext: orNull(values.subtext),
    slug: values.slug,
    domain: values.domain,
    logoText: orNull(values.logoText),
    logoStatus: status(values.hasLogo),
    logoPosition: values.logoPosition,
    socialAlign: values.socialAlign,
    socialIcons: values.icons.map(({ name, link, bg }) => ({
      icon: name,
      link: orNull(withScheme(link)),
      bg: orNull(bg),
    })),
    images: images.map((image) =>
      image.file === undefined
        ? { id: image.id, src: image.src, status: status(image.isShown), title: orNull(image.title) }
        : image.file,
    ),
    buttons: values.buttons.map(({ id, label, url, isShown, type, image }) => ({
      id,
      label,
      url: orNull(withScheme(url)),
      status: status(isShown),
      type,
      image,
    })),
    theme: { ...theme.colors, ...theme.box, bggradient: gradientOf(theme) },
    topShape: { color: orNull(shape.color), height: shape.height, clip: orNull(shape.clip) },
    ...(values.logoFile === undefined || values.logo === saved?.logo ? {} : { logo: values.logoFile }),
  }
  return body as unknown as Input<'generatePage'>
}

/** Whether images that were just uploaded have a title or are hidden, which only an entry with an id can say. */
export const needsSecondSave = (values: PageValues): boolean =>
  values.images.some((image) => image.file !== undefined && (image.title !== '' || !image.isShown))

/** The values with the ids that the server has given to the images. */
export const withSavedImages = (values: PageValues, page: Page): PageValues => ({
  ...values,
  logoFile: undefined,
  images: values.images.map((image, index) => {
    const saved = page.images[index]
    return saved === undefined
      ? image
      : { key: image.key, id: saved.id, src: saved.src, title: image.title, isShown: image.isShown }
  }),
})

/** What the page would look like if it were saved now. */
export const viewOf = (values: PageValues): PageView => ({
  title: values.title === '' ? 'Page title' : values.title,
  subtext: orNull(values.subtext),
  logo: values.logo === null ? null : { src: values.logo },
  logoText: orNull(values.logoText),
  logoPosition: values.logoPosition,
  logoStatus: status(values.hasLogo),
  theme: { ...values.theme.colors, ...values.theme.box, bggradient: gradientOf(values.theme) },
  topShape: values.shape.height === 0 ? null : values.shape,
  socialAlign: values.socialAlign,
  socialIcons: values.icons.map(({ name, link, bg }) => ({ name, link: withScheme(link), bg: orNull(bg) })),
  images: values.images.map(({ id, src, title, isShown }, index) => ({
    id: id ?? 1000 + index,
    src,
    title: orNull(title),
    status: status(isShown),
  })),
  buttons: values.buttons.map(({ id, label, url, isShown, type, image }) => ({
    id,
    type,
    image: image === null ? null : { src: image },
    label: label === '' ? 'Button' : label,
    url: orNull(withScheme(url)),
    status: status(isShown),
  })),
})

/** A slug made from a title, until the user edits it. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 60)
