import type { useNavigate } from '@tanstack/react-router'
import type { Link, Page, QrCode } from '@waymark/sdk'
import {
  Barcode,
  KeyRound,
  LayoutTemplate,
  Link2,
  LogOut,
  type LucideIcon,
  Moon,
  Plus,
  QrCode as QrIcon,
  Sun,
  Trash2,
  Webhook,
} from 'lucide-react'
import { sentenceOf } from '../api/client.ts'
import { shorten } from '../api/shorten.ts'
import { looksLikeAddress } from '../ui/addresses.ts'
import { copyText } from '../ui/copy.tsx'
import { bare } from '../ui/plate.tsx'
import { destinations } from './destinations.ts'
import { signOut } from './session.ts'
import { setTheme } from './theme.ts'
import { toast } from './toasts.ts'

export interface Command {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly icon: LucideIcon
  readonly run: () => void
}

type Navigate = ReturnType<typeof useNavigate>

const shortenAndCopy = async (address: string): Promise<void> => {
  try {
    const link = await shorten(address)
    const isCopied = await copyText(link.short_url)
    toast.news(isCopied ? `Copied ${bare(link.short_url)}` : bare(link.short_url))
  } catch (error) {
    toast.failure(sentenceOf(error))
  }
}

const actions = (navigate: Navigate): Command[] => [
  {
    key: 'new-link',
    label: 'New link',
    icon: Plus,
    run: () => void navigate({ to: '/links', search: { create: true } }),
  },
  {
    key: 'new-qr',
    label: 'New QR code',
    icon: QrIcon,
    run: () => void navigate({ to: '/codes/qr/$uuid', params: { uuid: 'new' } }),
  },
  {
    key: 'new-barcode',
    label: 'New barcode',
    icon: Barcode,
    run: () => void navigate({ to: '/codes/barcode/$uuid', params: { uuid: 'new' } }),
  },
  {
    key: 'new-page',
    label: 'New page',
    icon: LayoutTemplate,
    run: () => void navigate({ to: '/pages/$uuid', params: { uuid: 'new' } }),
  },
  {
    key: 'keys',
    label: 'API keys',
    icon: KeyRound,
    run: () => void navigate({ to: '/settings', search: { tab: 'keys' } }),
  },
  {
    key: 'webhooks',
    label: 'Webhooks',
    icon: Webhook,
    run: () => void navigate({ to: '/settings', search: { tab: 'webhooks' } }),
  },
  { key: 'trash', label: 'Trash', icon: Trash2, run: () => void navigate({ to: '/trash' }) },
  { key: 'light', label: 'Light theme', icon: Sun, run: () => setTheme('light') },
  { key: 'dark', label: 'Dark theme', icon: Moon, run: () => setTheme('dark') },
  { key: 'sign-out', label: 'Sign out', icon: LogOut, run: () => void signOut() },
]

/** What can always be done, narrowed to what is typed; an address can be shortened on the spot. */
export const standingCommands = (navigate: Navigate, typed: string): Command[] => {
  const wanted = typed.toLowerCase()
  const places = destinations.map(({ to, label, icon }) => ({
    key: `go${to}`,
    label: `Go to ${label}`,
    icon,
    run: () => void navigate({ to }),
  }))
  const matching = [...places, ...actions(navigate)].filter(({ label }) =>
    label.toLowerCase().includes(wanted),
  )
  if (!looksLikeAddress(typed)) return matching
  const quick: Command = {
    key: 'shorten',
    label: `Shorten ${bare(typed)}`,
    detail: 'Create and copy',
    icon: Link2,
    run: () => void shortenAndCopy(typed),
  }
  return [quick, ...matching]
}

/** What the search has found. */
export const foundCommands = (
  navigate: Navigate,
  links: readonly Link[],
  pages: readonly Page[],
  qrcodes: readonly QrCode[],
): Command[] => [
  ...links.map((link) => ({
    key: link.uuid,
    label: bare(link.short_url),
    detail: bare(link.link),
    icon: Link2,
    run: () =>
      void navigate({ to: '/links/$code', params: { code: link.code }, search: { domain: link.domain } }),
  })),
  ...pages.map((page) => ({
    key: page.uuid,
    label: page.title,
    detail: bare(page.page_url),
    icon: LayoutTemplate,
    run: () => void navigate({ to: '/pages/$uuid', params: { uuid: page.uuid } }),
  })),
  ...qrcodes.map((code) => ({
    key: code.uuid,
    label: code.description ?? bare(code.url ?? code.content?.type ?? ''),
    detail: 'QR code',
    icon: QrIcon,
    run: () => void navigate({ to: '/codes/qr/$uuid', params: { uuid: code.uuid } }),
  })),
]
