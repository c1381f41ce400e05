import { useNavigate, useSearch } from '@tanstack/react-router'
import type { UtmLink } from '@waymark/sdk'
import { Ellipsis, Pencil, Tags, Trash2 } from 'lucide-react'
import { api } from '../../api/client.ts'
import { removeToTrash } from '../../api/removal.ts'
import { LIST_SIZE, utmLinksQuery } from '../../api/resources.ts'
import { FIRST_PAGE } from '../../lists/list-place.ts'
import { Pager } from '../../lists/pager.tsx'
import { useList } from '../../lists/use-list.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useEmptyTitle } from '../../ui/may.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { count, counted, noun } from '../../ui/numbers.ts'
import { bare, Plate } from '../../ui/plate.tsx'
import { EmptyState, Skeletons } from '../../ui/screen.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { CopyAll } from './copy-all.tsx'
import { UtmBadge } from './utm-badge.tsx'

export function UtmList({ onEdit }: { readonly onEdit: (link: UtmLink) => void }) {
  const { search } = useSearch({ from: '/inside/utm' })
  const navigate = useNavigate({ from: '/utm' })
  const list = useList((cursor) => utmLinksQuery(search, LIST_SIZE, cursor))
  const emptyTitle = useEmptyTitle('generateUtm', 'UTM link')
  if (list.error !== null) return <Failure error={list.error} onRetry={list.retry} />
  if (list.isPending) return <Skeletons count={3} className="h-16" />
  if (list.isEmpty && search === undefined)
    return (
      <EmptyState picture={<Tags aria-hidden size={52} strokeWidth={1.2} />} title={emptyTitle}>
        Enter the destination once and add a channel for each place where you share it. You get one link per
        channel.
      </EmptyState>
    )
  return (
    <section>
      <div id={list.topId} className="mb-4 flex scroll-mt-20 flex-wrap items-center gap-4">
        <h2 className="text-lg">{counted(list.total, 'UTM link')}</h2>
        <SearchField
          label="Search UTM links"
          value={search}
          onSearch={(next) =>
            void navigate({
              search: { ...FIRST_PAGE, search: next },
              replace: true,
              resetScroll: false,
            })
          }
        />
        <CopyAll search={search} />
      </div>
      <ul
        className={`divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-sm transition-opacity empty:hidden ${list.isStale ? 'opacity-60' : ''}`}
      >
        {list.rows.map((link) => (
          <UtmRow key={link.uuid} link={link} onEdit={() => onEdit(link)} />
        ))}
      </ul>
      {list.isEmpty ? (
        <p className="text-muted">No matching UTM links</p>
      ) : (
        <Pager list={list} what="UTM link" size={LIST_SIZE} />
      )}
    </section>
  )
}

function UtmRow({ link, onEdit }: { readonly link: UtmLink; readonly onEdit: () => void }) {
  const shared = link.short_url ?? link.utm_url
  return (
    <li className="flex items-center gap-3 py-3 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <bdi className="max-w-full truncate font-bold" title={link.campaign}>
            {link.campaign}
          </bdi>
          <span className="line-clamp-2 max-w-full text-sm wrap-anywhere text-muted">
            <bdi>{link.source}</bdi> / <bdi>{link.medium}</bdi> / <bdi>{link.content}</bdi>
          </span>
        </p>
        <p className="mt-1 flex min-w-0 flex-col items-start gap-x-2 gap-y-1 sm:flex-row sm:items-center">
          {link.short_url !== null && <Plate shortUrl={link.short_url} />}
          <span className="max-w-full truncate text-sm text-faint" title={link.utm_url}>
            {bare(link.utm_url)}
          </span>
        </p>
        <UtmBadge link={link} />
      </div>
      {link.short_url !== null && (
        <p className="text-right">
          <span className="block font-bold tabular">{count(link.clicks)}</span>
          <span className="text-xs text-faint">{noun(link.clicks, 'click')}</span>
        </p>
      )}
      <span className="flex">
        <CopyButton text={shared} label={null} what={bare(shared)} />
        <Menu
          label={`More for ${link.campaign}, ${link.source}`}
          trigger={<Ellipsis aria-hidden size={17} />}
        >
          <MenuItem does="editUtm" icon={Pencil} onSelect={onEdit}>
            Edit
          </MenuItem>
          <MenuLine />
          <MenuItem
            does="removeUtm"
            icon={Trash2}
            isDanger
            onSelect={() =>
              void removeToTrash({
                uuids: [link.uuid],
                what: 'UTM link',
                stakes: { visits: link.clicks, visit: 'click', mayBePrinted: false },
                remove: (uuids) => api.removeUtm({ uuids }),
              })
            }
          >
            Remove
          </MenuItem>
        </Menu>
      </span>
    </li>
  )
}
