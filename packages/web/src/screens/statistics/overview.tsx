import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { domainsQuery } from '../../api/account.ts'
import { tagsQuery } from '../../api/links.ts'
import { SelectField } from '../../ui/choices.tsx'
import { ScreenHead } from '../../ui/screen.tsx'
import { Statistics } from './statistics.tsx'

const ALL = ''

/** Statistics of all links, or of those with a tag or on a domain. */
export function StatisticsScreen() {
  const { tag, domain } = useSearch({ from: '/inside/statistics' })
  const navigate = useNavigate({ from: '/statistics' })
  const { data: tags = [] } = useQuery(tagsQuery)
  const { data: domains = [] } = useQuery(domainsQuery)
  const choose = (changes: { tag?: string | undefined; domain?: string | undefined }): void =>
    void navigate({ search: (earlier) => ({ ...earlier, ...changes }) })
  const scope = { tag, domain }
  const names = domains.filter(({ verified }) => verified).map(({ name }) => name)
  return (
    <>
      <ScreenHead title="Statistics" lead={leadOf(tag, domain)} hasWideActions>
        <SelectField
          label="Tag"
          hasHiddenLabel
          className="w-40"
          value={tag ?? ALL}
          onValue={(chosen) => choose({ tag: chosen === ALL ? undefined : chosen })}
          options={optionsOf('All tags', [
            ...tags.map((one) => one.tag),
            ...(tag === undefined ? [] : [tag]),
          ])}
        />
        <SelectField
          label="Domain"
          hasHiddenLabel
          className="w-44"
          value={domain ?? ALL}
          onValue={(chosen) => choose({ domain: chosen === ALL ? undefined : chosen })}
          options={optionsOf('All domains', [...names, ...(domain === undefined ? [] : [domain])])}
        />
      </ScreenHead>
      <Statistics key={JSON.stringify(scope)} scope={scope} name={tag ?? domain ?? 'all'} hasTopLinks />
    </>
  )
}

const leadOf = (tag: string | undefined, domain: string | undefined): string => {
  const where = domain === undefined ? '' : ` on ${domain}`
  return tag === undefined ? `Clicks on all links${where}.` : `Clicks on links tagged “${tag}”${where}.`
}

const optionsOf = (all: string, values: readonly string[]) => [
  { value: ALL, label: all },
  ...[...new Set(values)].map((value) => ({ value, label: value })),
]
