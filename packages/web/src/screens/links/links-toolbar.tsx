import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { tagsQuery } from '../../api/links.ts'
import { Segments, SelectField } from '../../ui/choices.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { LinkSort } from './link-sorts.ts'

const sorts: readonly { value: LinkSort; label: string }[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'clicks', label: 'Most clicked' },
  { value: 'last-click', label: 'Recently clicked' },
  { value: 'code', label: 'Short code' },
]

/** Search, tag, sort order and status. All of them are in the URL, so that back and forward work. */
export function LinksToolbar() {
  const view = useSearch({ from: '/inside/links' })
  const navigate = useNavigate({ from: '/links' })
  const { data: tags = [] } = useQuery(tagsQuery)
  const known = tags.some(({ tag }) => tag === view.tag) || view.tag === undefined
  const options = [
    { value: '', label: 'All tags' },
    ...tags.map(({ tag, links }) => ({ value: tag, label: `${tag} (${links})` })),
    ...(known ? [] : [{ value: view.tag ?? '', label: view.tag ?? '' }]),
  ]
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <SearchField
        label="Search links"
        placeholder="Search short code, destination, description or tag"
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
        label="Sort"
        hasHiddenLabel
        className="w-36 flex-none"
        value={view.sort ?? 'newest'}
        options={sorts}
        onValue={(sort) => void navigate({ search: { ...view, sort: sort === 'newest' ? undefined : sort } })}
      />
      <Segments
        label="Status"
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
