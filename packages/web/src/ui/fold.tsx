import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'

/** A collapsible section for rare settings. Opens by itself when something inside needs attention. */
export function Fold({
  title,
  summary,
  isOpen = false,
  children,
}: {
  readonly title: string
  /** The settings inside, shown while it is closed. */
  readonly summary?: string | undefined
  readonly isOpen?: boolean
  readonly children: ReactNode
}) {
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (isOpen && ref.current !== null) ref.current.open = true
  }, [isOpen])
  return (
    <details ref={ref} className="group rounded-lg border border-line open:bg-ground/50">
      <summary className="flex min-h-11 list-none items-center gap-2 px-4 text-sm font-semibold [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={16}
          className="text-faint transition-transform group-open:rotate-90"
        />
        <span className="pt-0.5">{title}</span>
        {summary !== undefined && (
          <span className="ml-auto min-w-0 truncate pt-0.5 pl-3 font-normal text-muted group-open:hidden">
            {summary}
          </span>
        )}
      </summary>
      <div className="space-y-5 px-4 pt-2 pb-5">{children}</div>
    </details>
  )
}
