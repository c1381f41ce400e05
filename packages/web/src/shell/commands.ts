import type { useNavigate } from '@tanstack/react-router'
import type { Link, OperationName, Page, QrCode } from '@waymark/sdk'
import {
  Barcode,
  Boxes,
  Copy,
  FileDown,
  FileUp,
  Keyboard,
  LayoutTemplate,
  Link2,
  LogOut,
  type LucideIcon,
  Moon,
  Pencil,
  Plus,
  QrCode as QrIcon,
  Settings,
  Sun,
  Trash2,
} from 'lucide-react'
import { sentenceOf } from '../api/client.ts'
import { exportAddress, headingOf } from '../api/links.ts'
import { shorten } from '../api/shorten.ts'
import { mayNow, otherWorkspaces, switchWorkspace } from '../api/workspaces.ts'
import { openDownload } from '../screens/codes/save-file.ts'
import { settingsNames, settingsNeeds, settingsTabs, type SettingsTab } from '../screens/settings/tabs.ts'
import { looksLikeAddress } from '../ui/addresses.ts'
import { copyText } from '../ui/copy.tsx'
import { bare } from '../ui/plate.tsx'
import { destinations } from './destinations.ts'
import { signOut } from './session.ts'
import { showShortcuts } from './shortcuts.ts'
import { setTheme } from './theme.ts'
import { toast } from './toasts.ts'
import { showNewWorkspace } from './workspace-menu.tsx'

export interface Command {
  readonly key: string
  readonly label: string
  readonly detail?: string
  /** Further words to search for. */
  readonly words?: string
  readonly icon: LucideIcon
  /** The operation that it leads to; absent: no role restricts it. */
  readonly does?: OperationName | undefined
  readonly run: () => void
}

/** Other common names of these settings. */
const settingsWords: Partial<Record<SettingsTab, string>> = {
  security: 'password sessions',
  keys: 'secret token developer',
  help: 'delete account takeout',
  domains: 'dns host',
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
    does: 'generateLink',
    label: 'New link',
    icon: Plus,
    run: () => void navigate({ to: '/links', search: { create: true } }),
  },
  {
    key: 'new-qr',
    does: 'generateQr',
    label: 'New QR code',
    icon: QrIcon,
    run: () => void navigate({ to: '/codes/qr/$uuid', params: { uuid: 'new' } }),
  },
  {
    key: 'new-barcode',
    does: 'generateBarcode',
    label: 'New barcode',
    icon: Barcode,
    run: () => void navigate({ to: '/codes/barcode/$uuid', params: { uuid: 'new' } }),
  },
  {
    key: 'new-page',
    does: 'generatePage',
    label: 'New page',
    icon: LayoutTemplate,
    run: () => void navigate({ to: '/pages/$uuid', params: { uuid: 'new' } }),
  },
  {
    key: 'import',
    does: 'importLinks',
    label: 'Import links',
    words: 'csv file upload bitly',
    icon: FileUp,
    run: () => void navigate({ to: '/links', search: { import: true } }),
  },
  {
    key: 'export',
    label: 'Export links',
    words: 'csv file download',
    icon: FileDown,
    run: () => openDownload(exportAddress({})),
  },
  ...settingsTabs.map((tab) => ({
    key: `settings-${tab}`,
    does: settingsNeeds[tab],
    label: settingsNames[tab],
    detail: 'Settings',
    words: `settings ${settingsWords[tab] ?? ''}`,
    icon: Settings,
    run: () => void navigate({ to: '/settings', search: { tab: tab === 'profile' ? undefined : tab } }),
  })),
  {
    key: 'shortcuts',
    label: 'Keyboard shortcuts',
    words: 'keys help',
    icon: Keyboard,
    run: () => showShortcuts(true),
  },
  { key: 'trash', label: 'Trash', icon: Trash2, run: () => void navigate({ to: '/trash' }) },
  { key: 'light', label: 'Light theme', icon: Sun, run: () => setTheme('light') },
  { key: 'dark', label: 'Dark theme', icon: Moon, run: () => setTheme('dark') },
  { key: 'sign-out', label: 'Sign out', words: 'log out logout', icon: LogOut, run: () => void signOut() },
]

/** The other workspaces of the user, and a new one. */
const workspaceCommands = (): Command[] => [
  ...otherWorkspaces().map(({ uuid, name }) => ({
    key: `workspace-${uuid}`,
    label: `Switch to ${name}`,
    words: 'workspace',
    icon: Boxes,
    run: () => switchWorkspace(uuid),
  })),
  { key: 'new-workspace', label: 'Create workspace', icon: Plus, run: () => showNewWorkspace(true) },
]

/** Commands that are always available, filtered by the typed text; a URL can be shortened directly. */
export const standingCommands = (navigate: Navigate, typed: string): Command[] => {
  const wanted = typed.toLowerCase()
  const places = destinations.map(({ to, label, icon }) => ({
    key: `go${to}`,
    label: `Go to ${label}`,
    icon,
    run: () => void navigate({ to }),
  }))
  const matching = [...places, ...actions(navigate), ...workspaceCommands()].filter(
    ({ label, words = '', does }: Command) =>
      (does === undefined || mayNow(does)) && `${label} ${words}`.toLowerCase().includes(wanted),
  )
  if (!looksLikeAddress(typed) || !mayNow('generateLink')) return matching
  const quick: Command = {
    key: 'shorten',
    label: `Shorten ${bare(typed)}`,
    detail: 'Create and copy',
    icon: Link2,
    run: () => void shortenAndCopy(typed),
  }
  return [quick, ...matching]
}

/** How well a result matches the typed text: its short code, then title, tags and destination. */
const rankOf = (
  typed: string,
  { code, title, tags = [] }: { code?: string; title: string | null; tags?: readonly string[] },
): number => {
  const wanted = typed.toLowerCase()
  const has = (text: string | null): boolean => text?.toLowerCase().includes(wanted) === true
  if (code?.toLowerCase() === wanted) return 0
  if (has(title)) return 1
  return tags.some(has) ? 2 : 3
}

/** The search results, best first, followed by actions for the best link. */
export const foundCommands = (
  navigate: Navigate,
  typed: string,
  links: readonly Link[],
  pages: readonly Page[],
  qrcodes: readonly QrCode[],
): Command[] => {
  const ranked = links
    .filter((link, at) => links.findIndex(({ uuid }) => uuid === link.uuid) === at)
    .map((link) => ({ rank: rankOf(typed, { ...link, title: headingOf(link) }), link }))
    .toSorted((a, b) => a.rank - b.rank)
  return [
    ...ranked.map(({ rank, link }, at) => ({
      rank,
      commands: [linkCommand(navigate, link), ...(at === 0 ? linkActions(navigate, link) : [])],
    })),
    ...pages.map((page) => ({ rank: rankOf(typed, page), commands: [pageCommand(navigate, page)] })),
    ...qrcodes.map((code) => ({
      rank: rankOf(typed, { title: code.description }),
      commands: [codeCommand(navigate, code)],
    })),
  ]
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ commands }) => commands)
}

const pageCommand = (navigate: Navigate, page: Page): Command => ({
  key: page.uuid,
  label: page.title,
  detail: bare(page.page_url),
  icon: LayoutTemplate,
  run: () => void navigate({ to: '/pages/$uuid', params: { uuid: page.uuid } }),
})

const codeCommand = (navigate: Navigate, code: QrCode): Command => ({
  key: code.uuid,
  label: code.description ?? bare(code.url ?? code.content?.type ?? ''),
  detail: 'QR code',
  icon: QrIcon,
  run: () => void navigate({ to: '/codes/qr/$uuid', params: { uuid: code.uuid } }),
})

const placeOf = ({ code, domain }: Link) =>
  ({ to: '/links/$code', params: { code }, search: { domain } }) as const

const linkCommand = (navigate: Navigate, link: Link): Command => {
  const heading = headingOf(link)
  return {
    key: link.uuid,
    label: heading ?? bare(link.short_url),
    detail: heading === null ? bare(link.link) : bare(link.short_url),
    icon: Link2,
    run: () => void navigate(placeOf(link)),
  }
}

const linkActions = (navigate: Navigate, link: Link): Command[] => [
  {
    key: `copy-${link.uuid}`,
    label: `Copy ${bare(link.short_url)}`,
    icon: Copy,
    run: () => void copyText(link.short_url).then((isCopied) => isCopied && toast.news('Short link copied')),
  },
  {
    key: `edit-${link.uuid}`,
    does: 'editLinks',
    label: `Edit /${link.code}`,
    icon: Pencil,
    run: () => void navigate({ ...placeOf(link), search: { domain: link.domain, edit: true } }),
  },
  {
    key: `qr-${link.uuid}`,
    does: 'generateQr',
    label: `QR code of /${link.code}`,
    icon: QrIcon,
    run: () =>
      void navigate({ to: '/codes/qr/$uuid', params: { uuid: 'new' }, search: { url: link.short_url } }),
  },
]
