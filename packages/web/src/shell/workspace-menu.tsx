import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus, Settings, UserPlus } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { switchWorkspace, useMay, useWorkspace, workspacesQuery } from '../api/workspaces.ts'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'

let isCreating = false
const listeners = new Set<() => void>()

/** Opens or closes the dialog that creates a workspace. */
export const showNewWorkspace = (isShown: boolean): void => {
  isCreating = isShown
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useNewWorkspaceDialog = (): boolean => useSyncExternalStore(subscribe, () => isCreating)

/** Opens the visible switcher, in the sidebar or in the top bar. */
export const openSwitcher = (): void =>
  [...document.querySelectorAll<HTMLElement>('[data-switcher] > button')]
    .find((button) => button.checkVisibility())
    ?.click()

/** Switches to another workspace, on the current list or screen. Links and codes belong to one workspace. */
export function useSwitchWorkspace(): (uuid: string) => Promise<void> {
  const navigate = useNavigate()
  const router = useRouter()
  const { pathname } = useLocation()
  return async (uuid) => {
    const section = `/${pathname.split('/')[1] ?? ''}`
    const { tab } = router.state.location.search as { tab?: string }
    await navigate({ href: tab === undefined ? section : `${section}?tab=${tab}` })
    // Otherwise the user has chosen to keep the unsaved input.
    if (router.state.location.pathname === section) switchWorkspace(uuid)
  }
}

function Initial({ name }: { readonly name: string }) {
  const [letter = ''] = name.trim()
  return (
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-content-center rounded-md bg-brand pt-0.5 text-xs font-bold text-on-brand"
    >
      {letter.toUpperCase()}
    </span>
  )
}

/** The workspace of this tab, and a menu of the others. */
export function WorkspaceMenu({ isCompact = false }: { readonly isCompact?: boolean }) {
  const workspace = useWorkspace()
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const may = useMay()
  const navigate = useNavigate()
  const switchTo = useSwitchWorkspace()
  const name = workspace?.name ?? 'No workspace'
  return (
    <div data-switcher className={isCompact ? 'max-w-40 min-w-0' : 'min-w-0'}>
      <Menu
        label="Workspace"
        hasOwnText
        align={isCompact ? 'end' : 'start'}
        triggerClassName={
          isCompact
            ? 'button button-ghost max-w-full min-w-0 gap-1.5 px-2'
            : 'flex w-full items-center gap-2.5 rounded-md border border-line px-2 py-1.5 text-left transition-colors hover:border-line-strong'
        }
        trigger={
          <>
            {!isCompact && <Initial name={name} />}
            <span className="min-w-0 flex-1 truncate pt-0.5 text-sm font-semibold">
              <span className="sr-only">Workspace </span>
              {name}
            </span>
            <ChevronsUpDown aria-hidden size={15} className="shrink-0 text-faint" />
          </>
        }
      >
        {workspaces.map(({ uuid, name: label, role }) => (
          <MenuItem
            key={uuid}
            isChecked={uuid === workspace?.uuid}
            icon={uuid === workspace?.uuid ? Check : undefined}
            detail={role}
            onSelect={() => void switchTo(uuid)}
          >
            {label}
          </MenuItem>
        ))}
        <MenuLine />
        {may('inviteMember') && (
          <MenuItem
            icon={UserPlus}
            onSelect={() => void navigate({ to: '/settings', search: { tab: 'members' } })}
          >
            Members
          </MenuItem>
        )}
        <MenuItem
          icon={Settings}
          onSelect={() => void navigate({ to: '/settings', search: { tab: 'workspace' } })}
        >
          Workspace settings
        </MenuItem>
        <MenuItem icon={Plus} onSelect={() => showNewWorkspace(true)}>
          Create workspace
        </MenuItem>
      </Menu>
    </div>
  )
}
