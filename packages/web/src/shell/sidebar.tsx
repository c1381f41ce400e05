import { Link } from '@tanstack/react-router'
import { BookOpen, Search, Trash2 } from 'lucide-react'
import { Wordmark } from '../brand/mark.tsx'
import { destinations } from './destinations.ts'
import { openPalette } from './palette-state.ts'
import { UserMenu } from './user-menu.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

/** A waymark as painted on trees, white, colour, white. It marks the current entry. */
function Blaze() {
  return (
    <span aria-hidden className="absolute inset-y-2 left-0 flex w-1.5 flex-col overflow-hidden rounded-r-sm">
      <span className="flex-1 bg-brand" />
      <span className="flex-1 bg-blaze" />
      <span className="flex-1 bg-brand" />
    </span>
  )
}

export function Sidebar() {
  return (
    <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-r border-line bg-surface lg:flex print:hidden">
      <Link to="/" className="mx-5 mt-5 mb-4 self-start" aria-label="Waymark, home">
        <Wordmark />
      </Link>
      <div className="mx-4 mb-2.5">
        <WorkspaceMenu />
      </div>
      <button
        type="button"
        onClick={() => openPalette()}
        title="Search or run a command"
        className="mx-4 mb-4 flex min-h-9 items-center gap-2 rounded-md border border-line bg-ground px-3 text-sm text-faint transition-colors hover:border-line-strong hover:text-ink"
      >
        <Search aria-hidden size={15} />
        <span className="flex-1 pt-0.5 text-left">Search…</span>
        <kbd className="rounded border border-line bg-surface px-1.5 pt-0.5 text-[0.6875rem]">
          {isMac ? '⌘' : 'Ctrl'} K
        </kbd>
      </button>
      <nav aria-label="Main" className="flex-1">
        <ul>
          {destinations.map(({ to, label, icon: Icon }) => (
            <li key={to} className="relative px-4">
              <Link
                to={to}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className="group flex min-h-10 items-center gap-3 rounded-md px-3 font-semibold text-muted transition-colors hover:text-ink aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-strong"
              >
                {({ isActive }) => (
                  <>
                    {isActive && <Blaze />}
                    <Icon aria-hidden size={18} strokeWidth={isActive ? 2.4 : 2} />
                    <span className="pt-0.5">{label}</span>
                  </>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="space-y-1 border-t border-line p-4">
        <Link
          to="/trash"
          className="flex min-h-9 items-center gap-3 rounded-md px-3 text-sm font-semibold text-muted hover:text-ink aria-[current=page]:text-brand-strong"
        >
          <Trash2 aria-hidden size={16} />
          <span className="pt-0.5">Trash</span>
        </Link>
        <a
          href="/docs"
          className="flex min-h-9 items-center gap-3 rounded-md px-3 text-sm font-semibold text-muted hover:text-ink"
        >
          <BookOpen aria-hidden size={16} />
          <span className="pt-0.5">API reference</span>
        </a>
        <UserMenu />
      </div>
    </aside>
  )
}
