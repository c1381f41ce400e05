import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { Wordmark } from '../brand/mark.tsx'
import { IconButton } from '../ui/button.tsx'
import { destinations } from './destinations.ts'
import { openPalette } from './palette-state.ts'
import { UserMenu } from './user-menu.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

/** The bar at the top of narrow screens. */
export function TopBar() {
  return (
    <header className="sticky top-0 z-20 flex items-center gap-1 border-b border-line bg-surface/95 px-4 py-2 backdrop-blur lg:hidden print:hidden">
      <Link to="/" aria-label="Waymark, home" className="mr-auto">
        <Wordmark />
      </Link>
      <WorkspaceMenu isCompact />
      <IconButton label="Search or run a command" icon={Search} onClick={() => openPalette()} />
      <UserMenu isCompact />
    </header>
  )
}

/** Six fit side by side; settings are in the account menu of the top bar. */
const inReach = destinations.filter(({ to }) => to !== '/settings')

/** The navigation at the bottom of narrow screens. */
export function BottomBar() {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      <ul className="mx-auto flex max-w-xl">
        {inReach.map(({ to, label, icon: Icon }) => (
          <li key={to} className="min-w-0 flex-1">
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="relative flex h-15 flex-col items-center justify-center gap-1 text-[0.6875rem] font-semibold text-muted max-[23rem]:text-[0.5938rem] aria-[current=page]:text-brand"
            >
              {({ isActive }) => (
                <>
                  {isActive && (
                    <span aria-hidden className="absolute top-0 flex h-1 w-9 overflow-hidden rounded-b-sm">
                      <span className="flex-1 bg-brand" />
                      <span className="flex-1 bg-blaze" />
                      <span className="flex-1 bg-brand" />
                    </span>
                  )}
                  <Icon aria-hidden size={20} />
                  {label}
                </>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
