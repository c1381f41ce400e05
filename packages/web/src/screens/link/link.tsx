import { useQuery } from '@tanstack/react-query'
import { Link as LinkTo, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Link } from '@waymark/sdk'
import { ArrowLeft, ExternalLink, Pencil, Share2, Trash2 } from 'lucide-react'
import { headingOf, linkQuery } from '../../api/links.ts'
import { queryClient } from '../../api/query-client.ts'
import { NotFound } from '../../shell/route-states.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { ScreenFailure } from '../../ui/failure.tsx'
import { bare, ShortAddress } from '../../ui/plate.tsx'
import { Skeletons, useTitle } from '../../ui/screen.tsx'
import { momentOf } from '../../ui/times.ts'
import { owners, TagLinks } from '../links/link-marks.tsx'
import { LinkPanel } from '../links/link-panel.tsx'
import { removeLinks } from '../links/remove-links.ts'
import { QrButton } from '../links/qr-button.tsx'
import { share } from '../links/share.ts'
import { LinkViews } from './link-views.tsx'

export function LinkScreen() {
  const { code } = useParams({ from: '/inside/links/$code' })
  const { domain } = useSearch({ from: '/inside/links/$code' })
  const query = useQuery(linkQuery(code, domain))
  useTitle(code)
  if (query.isError) return <ScreenFailure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === null)
    return <NotFound title="Link not found">This link was removed, or its short code has changed.</NotFound>
  return query.data === undefined ? (
    <Skeletons count={4} className="h-24" />
  ) : (
    // A cached link is shown without a pause: it needs its own forms and clicks.
    <LinkDetails key={query.data.uuid} link={query.data} />
  )
}

function LinkDetails({ link }: { readonly link: Link }) {
  const navigate = useNavigate()
  const { edit: isEditing = false } = useSearch({ from: '/inside/links/$code' })
  const setIsEditing = (isOpen: boolean): void =>
    void navigate({
      from: '/links/$code',
      to: '.',
      search: (before) => ({ ...before, edit: isOpen || undefined }),
      replace: !isOpen,
    })
  const remove = async (): Promise<void> => {
    if (await removeLinks([link])) await navigate({ to: '/links', search: {} })
  }
  return (
    <>
      <LinkTo
        to="/links"
        className="mb-4 inline-flex items-center gap-1.5 text-sm font-semibold text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden size={15} /> Links
      </LinkTo>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <Heading link={link} />
          <h1 className="plate plate-strong mb-2 max-w-full text-lg! sm:text-xl!">
            <ShortAddress shortUrl={link.short_url} />
          </h1>
          <p className="flex min-w-0 items-center gap-1.5">
            <a
              href={link.link}
              rel="noreferrer"
              className="min-w-0 truncate text-muted underline decoration-line-strong underline-offset-4 hover:text-ink"
            >
              {bare(link.link)}
            </a>
            <ExternalLink aria-hidden size={14} className="shrink-0 text-faint" />
          </p>
          <Facts link={link} />
          <p className="mt-2 flex flex-wrap gap-1 empty:hidden">
            <TagLinks tags={link.tags} />
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-1">
          <CopyButton text={link.short_url} what="short link" look="primary" />
          <QrButton link={link} />
          <IconButton label="Share short link" icon={Share2} onClick={() => void share(link.short_url)} />
          <Button does="editLinks" icon={Pencil} onClick={() => setIsEditing(true)}>
            Edit
          </Button>
          {link.owner === null && (
            <IconButton does="removeLinks" label="Remove" icon={Trash2} onClick={() => void remove()} />
          )}
        </div>
      </header>
      <LinkViews link={link} />
      <LinkPanel
        isOpen={isEditing}
        link={link}
        onClose={() => setIsEditing(false)}
        onSaved={(saved) => {
          queryClient.setQueryData(linkQuery(saved.code, saved.domain).queryKey, saved)
          void navigate({
            to: '/links/$code',
            params: { code: saved.code },
            search: (before) => ({ ...before, domain: saved.domain, edit: undefined }),
            replace: true,
          })
        }}
      />
    </>
  )
}

function Heading({ link }: { readonly link: Link }) {
  const heading = headingOf(link)
  if (heading === null) return null
  return (
    <p dir="auto" className="mb-2 line-clamp-2 text-left text-lg font-bold wrap-anywhere" title={heading}>
      {heading}
    </p>
  )
}

function Facts({ link }: { readonly link: Link }) {
  const facts = [
    `Created ${momentOf(link.created_at)}`,
    link.owner === null ? null : `belongs to a ${owners[link.owner.type]}`,
    link.starts_at === null ? null : `starts ${momentOf(link.starts_at)}`,
    link.expire === null ? null : `expires ${momentOf(link.expire)}`,
    link.max_clicks === null ? null : `${link.clicks} of ${link.max_clicks} clicks used`,
    link.has_password ? 'password protected' : null,
    link.archived ? 'archived' : null,
    link.forward_query ? 'forwards query parameters' : null,
    link.forward_path ? 'forwards paths' : null,
    link.redirect === 302 ? null : `${link.redirect} redirect`,
  ].filter((fact) => fact !== null)
  return <p className="mt-1.5 text-sm text-faint">{facts.join(', ')}</p>
}
