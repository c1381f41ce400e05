import { Link as LinkTo } from '@tanstack/react-router'
import { FileUp, Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { useEmptyTitle } from '../../ui/may.tsx'
import { EmptyState } from '../../ui/screen.tsx'

const states = {
  active: { title: 'No active links', text: 'All of your links have expired or are archived.' },
  expired: {
    title: 'No expired links',
    text: 'Links appear here when they expire or reach their click limit.',
  },
  archived: {
    title: 'No archived links',
    text: 'Archived links are hidden from the other lists. They still redirect.',
  },
} as const

/** Shown instead of the table when there are no links to list. */
export function LinksEmpty({
  kind,
  onCreate,
  onImport,
}: {
  readonly kind: 'new' | 'filtered' | 'active' | 'expired' | 'archived'
  readonly onCreate: () => void
  readonly onImport: () => void
}) {
  const title = useEmptyTitle('generateLink', 'link')
  const state = states[kind as keyof typeof states]
  if (state !== undefined)
    return (
      <EmptyState
        picture={<Plates />}
        title={state.title}
        action={
          <LinkTo to="/links" search={{ state: 'all' }} className="button button-plain">
            Show all links
          </LinkTo>
        }
      >
        {state.text}
      </EmptyState>
    )
  if (kind === 'filtered')
    return (
      <EmptyState
        picture={<Plates />}
        title="No matching links"
        action={
          <LinkTo to="/links" search={{}} className="button button-plain">
            Clear search and filters
          </LinkTo>
        }
      >
        The search covers short codes, titles, destinations, descriptions and tags.
      </EmptyState>
    )
  return (
    <EmptyState
      picture={<Plates />}
      title={title}
      action={
        <>
          <Button does="generateLink" look="primary" icon={Plus} onClick={onCreate}>
            New link
          </Button>
          <Button does="importLinks" icon={FileUp} onClick={onImport}>
            Import CSV
          </Button>
        </>
      }
    >
      A short link redirects to any URL. You can change its destination later, and see its clicks by country,
      referrer and device. Individual visitors are not tracked.
    </EmptyState>
  )
}

function Plates() {
  return (
    <svg aria-hidden width="120" height="84" viewBox="0 0 120 84">
      <path d="M57 6h6v78h-6z" className="fill-line-strong" />
      <path d="M34 12h58l14 11-14 11H34z" className="fill-blaze" />
      <path d="M86 42H30L16 53l14 11h56z" className="fill-brand-soft" />
      <path
        d="M44 23h34M40 53h30"
        strokeWidth="3"
        strokeLinecap="round"
        className="stroke-on-blaze opacity-40"
      />
    </svg>
  )
}
