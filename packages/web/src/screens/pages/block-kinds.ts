import {
  Heading,
  Link2,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquareText,
  Minus,
  Phone,
  Type,
} from 'lucide-react'
import type { ButtonValue } from './page-form.ts'

/** A button that contacts someone: its URL is the prefix and what the user types. */
interface Contact {
  readonly prefix: string
  readonly target: string
  readonly placeholder: string
  readonly label: string
  readonly icon: LucideIcon
}

export const contacts: readonly Contact[] = [
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
]

/** How a button contacts someone, or undefined if it is any other link. */
export const contactOf = (url: string): Contact | undefined =>
  contacts.find(({ prefix }) => url.toLowerCase().startsWith(prefix))

/** Whether a block has everything that the server asks for. */
export const isComplete = ({ type, label, url }: ButtonValue): boolean => {
  if (type === 'divider') return true
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
