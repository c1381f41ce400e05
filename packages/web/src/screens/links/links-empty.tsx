import { Link as LinkTo } from '@tanstack/react-router'
import { FileUp, Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/screen.tsx'

/** What stands where links would be, and why there are none. */
export function LinksEmpty({
  kind,
  onCreate,
  onImport,
}: {
  readonly kind: 'new' | 'filtered' | 'archive'
  readonly onCreate: () => void
  readonly onImport: () => void
}) {
  if (kind === 'archive')
    return (
      <EmptyState picture={<Plates />} title="Nothing has expired">
        Links with an end date, or with a number of clicks they may serve, move here when they are done.
      </EmptyState>
    )
  if (kind === 'filtered')
    return (
      <EmptyState
        picture={<Plates />}
        title="No link matches"
        action={
          <LinkTo to="/links" search={{}} className="button button-plain">
            Show all links
          </LinkTo>
        }
      >
        The search looks into codes, destinations, notes and tags.
      </EmptyState>
    )
  return (
    <EmptyState
      picture={<Plates />}
      title="Put up your first sign"
      action={
        <>
          <Button look="primary" icon={Plus} onClick={onCreate}>
            New link
          </Button>
          <Button icon={FileUp} onClick={onImport}>
            Import CSV
          </Button>
        </>
      }
    >
      A short link leads wherever you say, can change its destination later, and counts who follows it: by
      country, site and device, never by person.
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
