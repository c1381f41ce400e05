import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import { domainsQuery } from '../../api/account.ts'
import { tagsQuery } from '../../api/links.ts'
import { FIRST_PAGE } from '../../lists/list-place.ts'
import { Button } from '../../ui/button.tsx'
import { Segments, SelectField } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { readableHost } from '../../ui/readable-address.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { tagClass } from '../../ui/tag.tsx'
import {
  type LinkSort,
  type LinksView,
  stateInAddress,
  stateOf,
  tagsInAddress,
  tagsOf,
} from './links-view.ts'

const sorts: readonly { value: LinkSort; label: string }[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
  { value: 'clicks', label: 'Most clicked' },
  { value: 'least-clicks', label: 'Least clicked' },
  { value: 'last-click', label: 'Recently clicked' },
]

/**
 * Search, filters and sort order. All of them are in the address, so that Back and a reload keep them. On phones the filters
 * are behind one button.
 */
export function LinksToolbar() {
  const view = useSearch({ from: '/inside/links' })
  const navigate = useNavigate({ from: '/links' })
  const [isOpen, setIsOpen] = useState(false)
  const change = (changed: Partial<LinksView>, replace = false): void =>
    void navigate({ search: { ...view, ...changed, ...FIRST_PAGE }, replace })
  const tags = tagsOf(view)
  const set = [view.domain, view.kind, view.sort, view.state, ...tags].filter((value) => value !== undefined)
  return (
    <div className="mb-4 space-y-3">
      <div className="flex items-end gap-3 sm:flex-wrap">
        <SearchField
          label="Search links"
          value={view.search}
          onSearch={(search) => change({ search }, true)}
        />
        <Button icon={SlidersHorizontal} className="sm:hidden" onClick={() => setIsOpen(true)}>
          Filters{set.length > 0 && ` (${set.length})`}
        </Button>
        <div className="hidden flex-wrap items-end gap-3 sm:flex">
          <Filters view={view} onChange={change} hasHiddenLabels />
        </div>
      </div>
      {tags.length > 0 && (
        <ul aria-label="Tags of the list" className="flex flex-wrap items-center gap-2">
          {tags.map((tag) => (
            <li key={tag} dir="auto" className={`${tagClass(tag)} inline-flex! items-center gap-1`}>
              {tag}
              <button
                type="button"
                aria-label={`Remove tag ${tag}`}
                title="Remove this filter"
                className="grid size-6 place-items-center rounded-full hover:bg-surface"
                onClick={() => change({ tag: tagsInAddress(tags.filter((one) => one !== tag)) })}
              >
                <X aria-hidden size={13} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <Dialog
          isOpen
          onClose={() => setIsOpen(false)}
          title="Filters"
          footer={
            <>
              <Button
                look="ghost"
                disabled={set.length === 0}
                onClick={() =>
                  change({
                    tag: undefined,
                    domain: undefined,
                    kind: undefined,
                    sort: undefined,
                    state: undefined,
                  })
                }
              >
                Clear filters
              </Button>
              <Button look="primary" onClick={() => setIsOpen(false)}>
                Show links
              </Button>
            </>
          }
        >
          <div className="space-y-4">
            <Filters view={view} onChange={change} hasHiddenLabels={false} />
          </div>
        </Dialog>
      )}
    </div>
  )
}

function Filters({
  view,
  onChange,
  hasHiddenLabels,
}: {
  readonly view: LinksView
  readonly onChange: (changed: Partial<LinksView>) => void
  readonly hasHiddenLabels: boolean
}) {
  const { data: tags = [] } = useQuery(tagsQuery)
  const { data: domains = [] } = useQuery(domainsQuery)
  const chosen = tagsOf(view)
  const names = domains.filter(({ verified }) => verified).map(({ name }) => name)
  // Includes an unknown domain of the address, because the list must show its filter.
  if (view.domain !== undefined && !names.includes(view.domain)) names.push(view.domain)
  const frame = { hasHiddenLabel: hasHiddenLabels, className: hasHiddenLabels ? 'w-38 flex-none' : '' }
  return (
    <>
      <SelectField
        label="Tag"
        {...frame}
        value=""
        options={[
          { value: '', label: chosen.length === 0 ? 'All tags' : 'Add a tag' },
          ...tags
            .filter(({ tag }) => !chosen.includes(tag))
            .map(({ tag, links }) => ({ value: tag, label: `${tag} (${links})` })),
        ]}
        onValue={(tag) => tag !== '' && onChange({ tag: tagsInAddress([...chosen, tag]) })}
      />
      {names.length > 1 && (
        <SelectField
          label="Domain"
          {...frame}
          value={view.domain ?? ''}
          options={[
            { value: '', label: 'All domains' },
            ...names.map((name) => ({ value: name, label: readableHost(name) })),
          ]}
          onValue={(domain) => onChange({ domain: domain === '' ? undefined : domain })}
        />
      )}
      <SelectField
        label="Kind"
        {...frame}
        value={view.kind ?? ''}
        options={[
          { value: '', label: 'All links' },
          { value: 'short', label: 'Short links' },
        ]}
        onValue={(kind) => onChange({ kind: kind === '' ? undefined : kind })}
      />
      <SelectField
        label="Sort"
        {...frame}
        value={view.sort ?? 'newest'}
        options={sorts}
        onValue={(sort) => onChange({ sort: sort === 'newest' ? undefined : sort })}
      />
      <Segments
        label="Status"
        hasHiddenLabel={hasHiddenLabels}
        value={stateOf(view)}
        options={[
          { value: 'active', label: 'Active' },
          { value: 'expired', label: 'Expired' },
          { value: 'archived', label: 'Archived' },
          { value: 'all', label: 'All' },
        ]}
        onValue={(state) => onChange({ state: stateInAddress(state) })}
      />
    </>
  )
}
