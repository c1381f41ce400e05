import type { Input, Page } from '@waymark/sdk'
import { orNull } from '../../forms/or-null.ts'
import { pickedFile } from '../../forms/picked-files.ts'
import { withScheme } from '../../ui/addresses.ts'
import { contentOf } from '../codes/content-form.ts'
import { isBlank, isComplete, sentUrl } from './block-kinds.ts'
import { type ButtonValue, type ContactValues, editedVersion, type PageValues } from './page-form.ts'
import { gradientOf } from './themes.ts'

const status = (isShown: boolean): 0 | 1 => (isShown ? 1 : 0)

/** The file of another tab's URL no longer exists. */
const sentAddress = (address: string): string | null => (address.startsWith('blob:') ? null : address)

/** The typed contact; a website without a scheme gets one. */
const sentContact = (contact: ContactValues): Record<string, unknown> => {
  const { type: _, ...fields } = contentOf('contact', contact) as unknown as Record<string, unknown>
  return { ...fields, website: orNull(withScheme(contact['website'] ?? '')) }
}

/**
 * The blocks without empty buttons at the end: a new page begins with one, and a page needs none. The places of the others do
 * not change, so that errors of the server are shown at the right block.
 */
const sentButtons = ({ buttons }: PageValues): readonly ButtonValue[] =>
  buttons.slice(0, buttons.findLastIndex((button) => !isBlank(button)) + 1)

/**
 * The request in the nested structure: the only one that supports everything in the builder, and allows a page without
 * images.
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
    buttons: sentButtons(values).map(({ id, label, url, isShown, type, image, contact }) => ({
      id,
      label,
      url: orNull(withScheme(sentUrl(url))),
      status: status(isShown),
      type,
      image: image === null ? null : (pickedFile(image) ?? sentAddress(image)),
      contact: type === 'contact' ? sentContact(contact) : null,
    })),
    theme: { ...theme.colors, ...theme.box, bggradient: gradientOf(theme), font: theme.font },
    topShape: { color: orNull(shape.color), height: shape.height, clip: orNull(shape.clip) },
    ...(values.logoFile === undefined || values.logo === (saved && editedVersion(saved).logo)
      ? {}
      : { logo: values.logoFile }),
  }
  return {
    ...body,
    buttons: body.buttons.length === 0 ? null : body.buttons,
  } as unknown as Input<'generatePage'>
}

/** Whether newly uploaded images have a title or are hidden, which requires an entry with an id. */
export const needsSecondSave = (values: PageValues): boolean =>
  values.images.some((image) => image.file !== undefined && (image.title !== '' || !image.isShown))

/** The values with the ids that the server has assigned to images. */
export const withSavedImages = (values: PageValues, page: Page): PageValues => ({
  ...values,
  logoFile: undefined,
  buttons: values.buttons.map((button) => ({
    ...button,
    image: editedVersion(page).buttons.find(({ id }) => id === button.id)?.image ?? null,
  })),
  images: values.images.map((image, index) => {
    const saved = editedVersion(page).images[index]
    return saved === undefined
      ? image
      : { key: image.key, id: saved.id, src: saved.src, title: image.title, isShown: image.isShown }
  }),
})

/** Whether a page has all required fields, so that it can be saved while it is being edited. */
export const canBeSaved = ({ title, slug, buttons }: PageValues): boolean =>
  title.trim() !== '' && slug.trim() !== '' && buttons.every(isComplete)
