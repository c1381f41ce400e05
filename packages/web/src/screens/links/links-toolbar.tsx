import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { domainsQuery } from '../../api/account.ts'
import { tagsQuery } from '../../api/links.ts'
import { FIRST_PAGE } from '../../lists/list-place.ts'
import { Segments, SelectField } from '../../ui/choices.tsx'
import { readableHost } from '../../ui/readable-address.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { type LinkSort, type LinksView, stateInAddress, stateOf } from './links-view.ts'

const sorts: readonly { value: LinkSort; label: string }[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
  { value: 'clicks', label: 'Most clicked' },
  { value: 'least-clicks', label: 'Least clicked' },
  { value: 'last-click', label: 'Recently clicked' },
]

/** Search, filters and sort order. All of them are in the address, so that Back and a reload keep them. */
export function LinksToolbar() {
  const view = useSearch({ from: '/inside/links' })
  const navigate = useNavigate({ from: '/links' })
  const { data: tags = [] } = useQuery(tagsQuery)
  const { data: domains = [] } = useQuery(domainsQuery)
  const change = (changed: Partial<LinksView>, replace = false): void =>
    void navigate({ search: { ...view, ...changed, ...FIRST_PAGE }, replace })
  const tagOptions = withChosen(
    tags.map(({ tag, links }) => ({ value: tag, label: `${tag} (${links})` })),
    view.tag,
  )
  const domainOptions = withChosen(
    domains
      .filter(({ verified }) => verified)
      .map(({ name }) => ({ value: name, label: readableHost(name) })),
    view.domain,
  )
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <SearchField
        label="Search links"
        placeholder="Search titles, URLs and tags"
        value={view.search}
        onSearch={(search) => change({ search }, true)}
      />
      <SelectField
        label="Tag"
        hasHiddenLabel
        className="w-36 flex-none max-sm:min-w-36 max-sm:flex-1"
        value={view.tag ?? ''}
        options={[{ value: '', label: 'All tags' }, ...tagOptions]}
        onValue={(tag) => change({ tag: tag === '' ? undefined : tag })}
      />
      {domainOptions.length > 1 && (
        <SelectField
          label="Domain"
          hasHiddenLabel
          className="w-40 flex-none max-sm:min-w-36 max-sm:flex-1"
          value={view.domain ?? ''}
          options={[{ value: '', label: 'All domains' }, ...domainOptions]}
          onValue={(domain) => change({ domain: domain === '' ? undefined : domain })}
        />
      )}
      <SelectField
        label="Sort"
        hasHiddenLabel
        className="w-40 flex-none max-sm:min-w-36 max-sm:flex-1"
        value={view.sort ?? 'newest'}
        options={sorts}
        onValue={(sort) => change({ sort: sort === 'newest' ? undefined : sort })}
      />
      <Segments
        label="Status"
        hasHiddenLabel
        value={stateOf(view)}
        options={[
          { value: 'active', label: 'Active' },
          { value: 'expired', label: 'Expired' },
          { value: 'archived', label: 'Archived' },
          { value: 'all', label: 'All' },
        ]}
        onValue={(state) => change({ state: stateInAddress(state) })}
      />
    </div>
  )
}

interface Option {
  readonly value: string
  readonly label: string
}

/** The options, with the one of the address even if it is unknown: the list must say what it shows. */
const withChosen = (options: readonly Option[], chosen: string | undefined): readonly Option[] =>
  chosen === undefined || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]
