import { type ReactNode, useEffect } from 'react'

/** Names the screen in the browser's tab and history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Waymark`
  }, [title])
}

/** The head of a screen: what it is, in one line what it is for, and its main actions. */
export function ScreenHead({
  title,
  tabTitle = title,
  lead,
  above,
  hasWideActions = false,
  children,
}: {
  readonly title: string
  /** In the browser's tab, where it has to say more. */
  readonly tabTitle?: string
  readonly lead?: ReactNode
  readonly above?: ReactNode
  /** On phones the actions get a row of their own, so that the page does not move when its fonts arrive. */
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

/** Shown where a list is still empty: says what would be here and how to begin. */
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
