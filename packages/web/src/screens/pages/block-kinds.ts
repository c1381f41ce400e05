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

/** A button to contact someone: its URL is the prefix and the typed text. */
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

/** The contact method of a button, or undefined for other links. */
export const contactOf = (url: string): ContactKind | undefined =>
  contacts.find(({ prefix }) => url.toLowerCase().startsWith(prefix))

/** Whether nothing was typed into a button yet. */
export const isBlank = ({ type, label, url, image }: ButtonValue): boolean =>
  type === 'link' && label.trim() === '' && url.trim() === '' && image === null

/** Whether nothing was typed into a page yet. */
export const isBlankPage = ({ title, subtext, buttons }: PageValues): boolean =>
  title === '' && subtext === '' && buttons.every(isBlank)

/** Whether a block has all required fields. */
export const isComplete = ({ type, label, url, image, contact: typed }: ButtonValue): boolean => {
  if (type === 'divider') return true
  if (type === 'image') return image !== null
  if (type === 'contact') return !lacksContent('contact', typed)
  if (type === 'video') return label.trim() !== '' && url.trim() !== ''
  const contact = type === 'link' ? contactOf(url) : undefined
  return label.trim() !== '' && (contact === undefined || url.length > contact.prefix.length)
}

/** The URL to send: WhatsApp accepts only digits, and a prefix alone is not a URL. */
export const sentUrl = (url: string): string => {
  const contact = contactOf(url)
  if (contact === undefined) return url
  const target = url.slice(contact.prefix.length).trim()
  const cleaned = contact.prefix.startsWith('https') ? target.replaceAll(/[^\d?=&%\w]/g, '') : target
  return cleaned === '' ? '' : contact.prefix + cleaned
}
