import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Sun, Trash2, UserRound } from 'lucide-react'
import { profileQuery } from '../api/account.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { signOut } from './session.ts'
import { showShortcuts } from './shortcuts.ts'
import { setTheme, useTheme } from './theme.ts'

const themes = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
] as const

export function UserMenu({ isCompact = false }: { readonly isCompact?: boolean }) {
  const { data: profile } = useQuery(profileQuery)
  const navigate = useNavigate()
  const theme = useTheme()
  const email = profile?.email ?? ''
  const name = [profile?.first_name, profile?.last_name].filter(Boolean).join(' ') || email
  return (
    <Menu
      label={`Account ${email}`}
      hasOwnText
      align={isCompact ? 'end' : 'start'}
      triggerClassName={
        isCompact
          ? 'button button-icon button-ghost'
          : 'flex w-full items-center gap-3 rounded-md px-2 py-1.5 text-left hover:bg-sunken'
      }
      trigger={
        <>
          <Avatar name={name} image={profile?.image ?? null} size={isCompact ? 26 : 30} />
          {isCompact ? (
            <span className="sr-only">Account {name}</span>
          ) : (
            <>
              <span className="min-w-0 flex-1 truncate text-sm font-semibold">
                <span className="sr-only">Account </span>
                {name}
              </span>
              <ChevronsUpDown aria-hidden size={15} className="text-faint" />
            </>
          )}
        </>
      }
    >
      <p className="truncate px-2.5 pt-1.5 pb-1 text-xs text-faint">{email}</p>
      <MenuItem icon={UserRound} onSelect={() => void navigate({ to: '/settings' })}>
        Profile and settings
      </MenuItem>
      <MenuItem icon={Trash2} onSelect={() => void navigate({ to: '/trash' })}>
        Trash
      </MenuItem>
      <MenuItem icon={Keyboard} onSelect={() => showShortcuts(true)}>
        Keyboard shortcuts
      </MenuItem>
      <MenuLine />
      {themes.map(({ value, label, icon }) => (
        <MenuItem key={value} icon={icon} onSelect={() => setTheme(value)}>
          {label}
          {theme === value && <span className="ml-2 text-xs text-faint">selected</span>}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
