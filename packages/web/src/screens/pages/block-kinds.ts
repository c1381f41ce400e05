import {
  CirclePlay,
  Contact,
  Heading,
  Image as ImageIcon,
  Link2,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquareText,
  Minus,
  Phone,
  Type,
} from 'lucide-react'
import { lacksContent } from '../codes/content-form.ts'
import type { ButtonValue, PageValues } from './page-form.ts'

/** A button that contacts someone: its URL is the prefix and what the user types. */
interface ContactKind {
  readonly prefix: string
  readonly target: string
  readonly placeholder: string
  readonly label: string
  readonly icon: LucideIcon
}

export const contacts: readonly ContactKind[] = [
  { prefix: 'tel:', target: 'Phone number', placeholder: '+44 1632 960001', label: 'Call', icon: Phone },
  { prefix: 'mailto:', target: 'Email address', placeholder: 'me@example.com', label: 'Email', icon: Mail },
  {
    prefix: 'https://wa.me/',
    target: 'WhatsApp number',
    placeholder: '+44 1632 960001',
    label: 'WhatsApp',
    icon: MessageCircle,
  },
  {
    prefix: 'sms:',
    target: 'Phone number',
    placeholder: '+44 1632 960001',
    label: 'SMS',
    icon: MessageSquareText,
  },
]

export const blocks: readonly {
  readonly type: ButtonValue['type']
  readonly label: string
  icon: LucideIcon
}[] = [
  { type: 'link', label: 'Link', icon: Link2 },
  { type: 'heading', label: 'Heading', icon: Heading },
  { type: 'text', label: 'Text', icon: Type },
  { type: 'divider', label: 'Divider', icon: Minus },
  { type: 'image', label: 'Image', icon: ImageIcon },
  { type: 'video', label: 'Video', icon: CirclePlay },
  { type: 'contact', label: 'Contact card', icon: Contact },
]

/** How a button contacts someone, or undefined if it is any other link. */
export const contactOf = (url: string): ContactKind | undefined =>
  contacts.find(({ prefix }) => url.toLowerCase().startsWith(prefix))

/** A button that nothing was typed into yet. */
export const isBlank = ({ type, label, url, image }: ButtonValue): boolean =>
  type === 'link' && label.trim() === '' && url.trim() === '' && image === null

/** Nothing was typed into a page yet. */
export const isBlankPage = ({ title, subtext, buttons }: PageValues): boolean =>
  title === '' && subtext === '' && buttons.every(isBlank)

/** Whether a block has everything that the server asks for. */
export const isComplete = ({ type, label, url, image, contact: typed }: ButtonValue): boolean => {
  if (type === 'divider') return true
  if (type === 'image') return image !== null
  if (type === 'contact') return !lacksContent('contact', typed)
  if (type === 'video') return label.trim() !== '' && url.trim() !== ''
  const contact = type === 'link' ? contactOf(url) : undefined
  return label.trim() !== '' && (contact === undefined || url.length > contact.prefix.length)
}

/** A URL as it is sent: WhatsApp takes digits alone, and a prefix by itself is no URL. */
export const sentUrl = (url: string): string => {
  const contact = contactOf(url)
  if (contact === undefined) return url
  const target = url.slice(contact.prefix.length).trim()
  const cleaned = contact.prefix.startsWith('https') ? target.replaceAll(/[^\d?=&%\w]/g, '') : target
  return cleaned === '' ? '' : contact.prefix + cleaned
}
