import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FilterName } from '../../api/analytics-filters.ts'
import { clicksAddress, type Scope, seriesQuery } from '../../api/analytics.ts'
import { pollEvery } from '../../api/query-client.ts'
import { toast } from '../../shell/toasts.ts'
import { Demanded, loadOnDemand } from '../../ui/load-on-demand.tsx'
import { openDownload } from '../codes/save-file.ts'
import { cardsFor, type Chosen, chosenOf, selectedOf } from './breakdown-cards.ts'
import { Breakdown } from './breakdown.tsx'
import { exportStatistics } from './export.ts'
import { isFiltered } from './filter-chips.tsx'
import { HoursOfWeek } from './hours-of-week.tsx'
import { LiveList } from './live-list.tsx'
import { StatisticsBar, Summary } from './summary.tsx'
import { TopLinks } from './top-links.tsx'
import { useFreshLinks, useLive } from './use-live.ts'
import { useView } from './use-view.ts'
import { toggled } from './view.ts'

const ShareDialog = loadOnDemand(async () => (await import('./share-dialog.tsx')).ShareDialog)

/** Clicks refresh the figures when they arrive; missed ones appear a little later. */
const REFRESH_MS = { live: 15_000, polling: 5_000 }

interface StatisticsProps {
  readonly scope: Scope
  /** For the name of the exported file. */
  readonly name: string
  /** Pages also count clicks on each button and icon. */
  readonly isPage?: boolean
  /** For several links: shows the most clicked ones. */
  readonly hasTopLinks?: boolean
}

/** All statistics of one link, code or page, or of many links, refreshed while the screen is open. */
export function Statistics({ scope, name, isPage = false, hasTopLinks = false }: StatisticsProps) {
  const view = useView()
  const [isSharing, setIsSharing] = useState(false)
  const { search, range, filters, change } = view
  const [chosen, setChosen] = useState<Chosen>({})
  const { clicks, isOpen } = useLive(scope)
  const refreshMs = isOpen ? REFRESH_MS.live : REFRESH_MS.polling
  const query = useQuery({
    ...seriesQuery(scope, range, filters, {
      isCompared: search.compare === true,
      by: [
        ...cardsFor(isPage, false)
          .map((card) => chosenOf(card, chosen))
          // A card with a filter of its own loads its rows without that filter.
          .filter((by) => selectedOf(by, filters).length === 0),
        ...(hasTopLinks ? (['link'] as const) : []),
        'hour_of_week',
      ],
    }),
    // Data of another screen may be outdated.
    staleTime: 0,
    refetchInterval: pollEvery(refreshMs),
  })
  const totals = query.data?.totals
  useFreshLinks(totals)
  const isEmpty = totals !== undefined && totals.clicks + totals.bots === 0
  const cards = cardsFor(isPage, isEmpty)
  const dimensions = cards.flatMap(({ tabs }) => tabs.map(({ by }) => by))
  const shown = { scope, range, filters }
  const toggle = (filter: FilterName, value: string): void => change(toggled(search, filter, value))
  return (
    <div className="space-y-6">
      <StatisticsBar
        view={view}
        onExport={() => void exportStatistics(shown, name, dimensions)}
        onExportClicks={() => openDownload(clicksAddress(scope, range))}
        onShare={scope.uuid === undefined ? undefined : () => setIsSharing(true)}
      />
      {isSharing && scope.uuid !== undefined && (
        <Demanded
          onFailure={({ message }) => {
            toast.failure(message)
            setIsSharing(false)
          }}
        >
          <ShareDialog
            uuid={scope.uuid}
            noun={isPage ? 'page' : 'link'}
            onClose={() => setIsSharing(false)}
          />
        </Demanded>
      )}
      <Summary view={view} query={query} isLive={isOpen} unit={isPage ? 'view' : 'click'} />
      {/* Not before it is known whether there is anything to show, so that nothing moves. */}
      {totals !== undefined && (
        <div className="grid gap-6 md:grid-cols-2">
          {cards.map((card) => (
            <Breakdown
              key={card.title}
              {...shown}
              {...card}
              chosen={chosenOf(card, chosen)}
              refreshMs={refreshMs}
              onChoose={(by) => setChosen({ ...chosen, [card.title]: by })}
              onFilter={toggle}
            />
          ))}
          <LiveList
            clicks={clicks}
            isOpen={isOpen}
            hasNames={scope.uuid === undefined}
            isWide={cards.length % 2 === 0 && !hasTopLinks}
            isFiltered={isFiltered(filters)}
          />
          {hasTopLinks && <TopLinks {...shown} isLoadedElsewhere />}
          {!isEmpty && <HoursOfWeek {...shown} />}
        </div>
      )}
    </div>
  )
}
