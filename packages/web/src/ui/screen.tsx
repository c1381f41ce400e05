import { type ReactNode, useEffect } from 'react'

/** Sets the screen's title in the browser's tab and history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Waymark`
  }, [title])
}

/** The header of a screen: its title, its purpose in one line, and its main actions. */
export function ScreenHead({
  title,
  tabTitle = title,
  lead,
  above,
  hasWideActions = false,
  children,
}: {
  readonly title: string
  /** A longer title for the browser's tab. */
  readonly tabTitle?: string
  readonly lead?: ReactNode
  readonly above?: ReactNode
  /** Whether the actions have their own row on phones, so that the page does not move when fonts are loaded. */
  readonly hasWideActions?: boolean
  readonly children?: ReactNode
}) {
  useTitle(tabTitle)
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        {above}
        <h1
          dir="auto"
          title={title}
          className="line-clamp-3 text-left text-2xl wrap-anywhere sm:text-[1.75rem]"
        >
          {title}
        </h1>
        {lead !== undefined && <p className="mt-1 max-w-[60ch] text-muted">{lead}</p>}
      </div>
      {children !== undefined && (
        <div className={`flex flex-wrap items-center gap-2 ${hasWideActions ? 'max-sm:w-full' : ''}`}>
          {children}
        </div>
      )}
    </header>
  )
}

export function Card({
  title,
  lead,
  aside,
  className,
  children,
}: {
  readonly title?: string
  readonly lead?: ReactNode
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <section
      className={`min-w-0 rounded-lg border border-line bg-surface shadow-sm ${className ?? 'p-5 sm:p-6'}`}
    >
      {title !== undefined && (
        <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            <h2 className="text-base">{title}</h2>
            {lead !== undefined && <p className="mt-0.5 text-sm text-muted">{lead}</p>}
          </div>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

/** Shown while a list is empty: says what it will contain and how to begin. */
export function EmptyState({
  picture,
  title,
  children,
  action,
}: {
  readonly picture: ReactNode
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-line-strong px-6 py-14 text-center">
      <div className="mb-5 text-brand">{picture}</div>
      <h2 className="text-lg">{title}</h2>
      <p className="mt-1.5 max-w-[46ch] text-muted">{children}</p>
      {action !== undefined && <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

export function Skeletons({ count, className }: { readonly count: number; readonly className: string }) {
  return (
    <div role="status" aria-label="Loading" className="space-y-3">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={`skeleton ${className}`} />
      ))}
    </div>
  )
}
