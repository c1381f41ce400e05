import { Link as LinkTo, useSearch } from '@tanstack/react-router'
import type { Link } from '@waymark/sdk'
import { ChartColumn, FlaskConical, History, type LucideIcon, Split } from 'lucide-react'
import { type ComponentType, Suspense } from 'react'
import { loadOnDemand } from '../../ui/load-on-demand.tsx'
import { Skeletons } from '../../ui/screen.tsx'
import { scrollToTab } from '../../ui/scroll-to-tab.ts'
import { linkViews, type LinkView } from './views.ts'

interface ViewProps {
  readonly link: Link
}

const Statistics = loadOnDemand(async () => (await import('../statistics/statistics.tsx')).Statistics)

const StatisticsView = ({ link }: ViewProps) => <Statistics scope={{ uuid: link.uuid }} name={link.code} />

interface View {
  readonly label: string
  readonly icon: LucideIcon
  readonly Content: ComponentType<ViewProps>
  /** Number of items in the view. */
  readonly countOf?: (link: Link) => number
}

const views: Record<LinkView, View> = {
  statistics: { label: 'Statistics', icon: ChartColumn, Content: StatisticsView },
  rules: {
    label: 'Rules',
    icon: Split,
    Content: loadOnDemand(async () => (await import('./rules/rules-view.tsx')).RulesView),
    countOf: ({ rules }) => rules.length,
  },
  variants: {
    label: 'Variants',
    icon: FlaskConical,
    Content: loadOnDemand(async () => (await import('./variants/variants-view.tsx')).VariantsView),
    countOf: ({ variants }) => variants.length,
  },
  history: {
    label: 'History',
    icon: History,
    Content: loadOnDemand(async () => (await import('./history/history-view.tsx')).HistoryView),
  },
}

/** Everything about one link, in several views; the address bar has the current one. */
export function LinkViews({ link }: ViewProps) {
  const { view = 'statistics' } = useSearch({ from: '/inside/links/$code' })
  const { Content } = views[view]
  return (
    <>
      <nav aria-label="Link" className="scroll-fade -mx-4 mb-6 overflow-x-auto px-4 sm:mx-0 sm:px-0">
        <ul className="flex w-max gap-1 border-b border-line sm:w-auto">
          {linkViews.map((name) => {
            const { label, icon: Icon, countOf } = views[name]
            const count = countOf?.(link) ?? 0
            return (
              <li key={name}>
                <LinkTo
                  ref={name === view ? scrollToTab : undefined}
                  from="/links/$code"
                  to="."
                  search={(before) => ({ ...before, view: name === 'statistics' ? undefined : name })}
                  replace
                  aria-current={name === view ? 'page' : undefined}
                  className={`-mb-px flex min-h-11 items-center gap-2 border-b-2 px-3 text-sm font-semibold whitespace-nowrap ${
                    name === view
                      ? 'border-brand text-brand-strong'
                      : 'border-transparent text-muted hover:text-ink'
                  }`}
                >
                  <Icon aria-hidden size={16} />
                  <span className="pt-0.5">{label}</span>
                  {count > 0 && (
                    <span className="rounded-full bg-sunken px-1.5 pt-px text-xs text-muted tabular">
                      {count}
                    </span>
                  )}
                </LinkTo>
              </li>
            )
          })}
        </ul>
      </nav>
      <Suspense fallback={<Skeletons count={2} className="h-24" />}>
        <Content link={link} />
      </Suspense>
    </>
  )
}
