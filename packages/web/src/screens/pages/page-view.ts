import type { PageView } from '@waymark/page'
import { orNull } from '../../forms/or-null.ts'
import { withScheme } from '../../ui/addresses.ts'
import { sentUrl } from './block-kinds.ts'
import { lacksContent } from '../codes/content-form.ts'
import type { ButtonValue, ContactValues, PageValues } from './page-form.ts'
import { gradientOf } from './themes.ts'

const status = (isShown: boolean): 0 | 1 => (isShown ? 1 : 0)

/** Placeholders for empty texts. */
const standIns: Readonly<Record<ButtonValue['type'], string>> = {
  link: 'Button',
  heading: 'Heading',
  text: 'Text',
  divider: '',
  image: '',
  video: 'Video',
  contact: '',
}

/** The look of the page if it were saved now. */
export const viewOf = (values: PageValues): PageView => ({
  title: values.title === '' ? 'Page title' : values.title,
  subtext: orNull(values.subtext),
  logo: values.logo === null ? null : { src: values.logo },
  logoText: orNull(values.logoText),
  logoPosition: values.logoPosition,
  logoStatus: status(values.hasLogo),
  theme: {
    ...values.theme.colors,
    ...values.theme.box,
    bggradient: gradientOf(values.theme),
    font: values.theme.font,
  },
  topShape: values.shape.height === 0 ? null : values.shape,
  socialAlign: values.socialAlign,
  socialIcons: values.icons.map(({ name, link, bg }) => ({ name, link: withScheme(link), bg: orNull(bg) })),
  images: values.images.map(({ id, src, title, isShown }, index) => ({
    id: id ?? 1000 + index,
    src,
    title: orNull(title),
    status: status(isShown),
  })),
  buttons: values.buttons.map(({ id, label, url, isShown, type, image, contact }) => ({
    id,
    type,
    image: image === null ? null : { src: image },
    label: label === '' ? standIns[type] : label,
    url: orNull(withScheme(sentUrl(url))),
    status: status(isShown),
    contact: type === 'contact' ? shownContact(contact) : null,
  })),
})

/** A card without a name shows where it will be. */
const shownContact = (contact: ContactValues): ContactValues =>
  lacksContent('contact', contact) ? { ...contact, first_name: 'Name' } : contact
