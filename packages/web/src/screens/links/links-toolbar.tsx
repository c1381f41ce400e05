import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { tagsQuery } from '../../api/links.ts'
import { Segments, SelectField } from '../../ui/choices.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { LinkSort } from './link-sorts.ts'

const sorts: readonly { value: LinkSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'clicks', label: 'Most clicks' },
  { value: 'last-click', label: 'Last clicked' },
  { value: 'code', label: 'By name' },
]

/** Search, tag, order and archive. All of it stands in the address, so that back and forward work. */
export function LinksToolbar() {
  const view = useSearch({ from: '/inside/links' })
  const navigate = useNavigate({ from: '/links' })
  const { data: tags = [] } = useQuery(tagsQuery)
  const known = tags.some(({ tag }) => tag === view.tag) || view.tag === undefined
  const options = [
    { value: '', label: 'Any tag' },
    ...tags.map(({ tag, links }) => ({ value: tag, label: `${tag} (${links})` })),
    ...(known ? [] : [{ value: view.tag ?? '', label: view.tag ?? '' }]),
  ]
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <SearchField
        label="Search links"
        placeholder="Search code, destination, note or tag"
        value={view.search}
        onSearch={(search) => void navigate({ search: { ...view, search }, replace: true })}
      />
      <SelectField
        label="Tag"
        hasHiddenLabel
        className="w-36 flex-none"
        value={view.tag ?? ''}
        options={options}
        onValue={(tag) => void navigate({ search: { ...view, tag: tag === '' ? undefined : tag } })}
      />
      <SelectField
        label="Order"
        hasHiddenLabel
        className="w-36 flex-none"
        value={view.sort ?? 'newest'}
        options={sorts}
        onValue={(sort) => void navigate({ search: { ...view, sort: sort === 'newest' ? undefined : sort } })}
      />
      <Segments
        label="Which links"
        hasHiddenLabel
        value={view.archive === true ? 'archive' : 'all'}
        options={[
          { value: 'all', label: 'All' },
          { value: 'archive', label: 'Expired' },
        ]}
        onValue={(which) =>
          void navigate({ search: { ...view, archive: which === 'archive' ? true : undefined } })
        }
      />
    </div>
  )
}
