import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { calls } from '@waymark/sdk/calls'
import { Download, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { memberName, membersQuery } from '../../api/members.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/choices.tsx'
import { Loaded } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { counted } from '../../ui/numbers.ts'
import { Card } from '../../ui/screen.tsx'
import { ago, momentOf } from '../../ui/times.ts'
import { openDownload } from '../codes/save-file.ts'
import { actorOf, type AuditEntry, deedOf, rejectionOf } from './audit-words.ts'

interface Filter {
  readonly user: string
  /** The actor if it was not a user; or empty. */
  readonly actor: 'command_line' | 'system' | ''
  readonly operation: string
  /** `2026-12-24`, or empty. */
  readonly from: string
  readonly to: string
  /** The uuid of the changed resource, or empty. */
  readonly resource: string
}

const NO_FILTER: Filter = { user: '', actor: '', operation: '', from: '', to: '', resource: '' }
const PAGE_SIZE = 50

const given = ({ actor, ...filter }: Filter) => ({
  ...(actor !== '' && { actor }),
  ...(Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')) as Partial<
    typeof filter
  >),
})

const auditQuery = (filter: Filter, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['audit', filter, cursor ?? null],
    queryFn: ({ signal }) => api.auditLog({ ...given(filter), limit: PAGE_SIZE, cursor }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** The operations that are filtered by most often. */
const operations = [
  { value: '', label: 'Everything' },
  { value: 'generateLink', label: 'Links created' },
  { value: 'editLinks', label: 'Links changed' },
  { value: 'removeLinks', label: 'Links removed' },
  { value: 'importLinks', label: 'Imports' },
  { value: 'exportLinks', label: 'Exports of links' },
  { value: 'editPage', label: 'Pages changed' },
  { value: 'inviteMember', label: 'Invitations' },
  { value: 'editMember', label: 'Roles changed' },
  { value: 'removeMember', label: 'Members removed' },
  { value: 'generateKey', label: 'API keys created' },
  { value: 'generateToken', label: 'Access tokens created' },
  { value: 'editWorkspace', label: 'Workspace settings' },
]

/** Who changed what in the workspace, one sentence per entry. */
export function AuditLogSettings() {
  const [filter, setFilter] = useState(NO_FILTER)
  /** The cursors of earlier pages and of this one; the first page has none. */
  const [trail, setTrail] = useState<readonly string[]>([])
  /** The name of the resource that the list is filtered by. */
  const [about, setAbout] = useState('')
  const query = useQuery(auditQuery(filter, trail.at(-1)))
  const change = (part: Partial<Filter>): void => {
    setFilter({ ...filter, ...part })
    setTrail([])
  }
  const save = (): void =>
    openDownload(`${calls.auditLog.path}?${new URLSearchParams({ ...given(filter), format: 'csv' })}`)
  return (
    <Card
      title="Audit log"
      lead="Who changed what in this workspace, newest first."
      aside={
        <Button icon={Download} onClick={save}>
          Export CSV
        </Button>
      }
    >
      <Filters filter={filter} onChange={change} />
      {filter.resource !== '' && (
        <p className="mb-4 flex flex-wrap items-center gap-3">
          <span className="min-w-0 wrap-anywhere">
            Only changes of <strong>{about}</strong>
          </span>
          <Button onClick={() => change({ resource: '' })}>Show all</Button>
        </p>
      )}
      <Loaded query={query} skeleton="h-64">
        {({ data, meta }) => (
          <>
            {data.length === 0 && (
              <p className="flex items-center gap-3 text-muted">
                <ScrollText aria-hidden size={20} className="shrink-0" />
                No entries match.
              </p>
            )}
            <ol className="divide-y divide-line">
              {data.map((entry) => (
                <Entry
                  key={entry.uuid}
                  entry={entry}
                  isFiltered={filter.resource !== ''}
                  onChoose={(uuid, name) => {
                    setAbout(name)
                    change({ resource: uuid })
                  }}
                />
              ))}
            </ol>
            <nav aria-label="Pages of the audit log" className="mt-4 flex flex-wrap items-center gap-2">
              <p className="mr-auto text-sm text-muted tabular">{counted(meta.total, 'entry', 'entries')}</p>
              {trail.length > 0 && <Button onClick={() => setTrail(trail.slice(0, -1))}>Previous</Button>}
              {meta.next_cursor !== null && (
                <Button onClick={() => setTrail([...trail, meta.next_cursor ?? ''])}>Next</Button>
              )}
            </nav>
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Filters({
  filter,
  onChange,
}: {
  readonly filter: Filter
  readonly onChange: (part: Partial<Filter>) => void
}) {
  const { data: members = [] } = useQuery(membersQuery)
  return (
    <div className="mb-5 grid gap-3 border-b border-line pb-5 sm:grid-cols-2 lg:grid-cols-4">
      <SelectField
        label="Who"
        value={filter.actor === '' ? filter.user : filter.actor}
        onValue={(who) =>
          onChange(
            who === 'command_line' || who === 'system' ? { actor: who, user: '' } : { actor: '', user: who },
          )
        }
        options={[
          { value: '', label: 'Everyone' },
          ...members.map((member) => ({ value: member.uuid, label: memberName(member) })),
          { value: 'command_line', label: 'The command line' },
          { value: 'system', label: 'The server' },
        ]}
      />
      <SelectField
        label="What"
        value={filter.operation}
        onValue={(operation) => onChange({ operation })}
        options={operations}
      />
      <TextField label="From" type="date" value={filter.from} onValue={(from) => onChange({ from })} />
      <TextField label="To" type="date" value={filter.to} onValue={(to) => onChange({ to })} />
    </div>
  )
}

function Entry({
  entry,
  isFiltered,
  onChoose,
}: {
  readonly entry: AuditEntry
  readonly isFiltered: boolean
  readonly onChoose: (uuid: string, name: string) => void
}) {
  const [only, ...others] = entry.resources
  const name = others.length === 0 ? (only?.name ?? undefined) : undefined
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5 first:pt-0">
      <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <strong>{actorOf(entry)}</strong> {entry.rejected > 0 ? rejectionOf(entry) : deedOf(entry)}
      </p>
      {only !== undefined && name !== undefined && !isFiltered && (
        <Button
          look="ghost"
          className="max-sm:order-last max-sm:-mr-4 max-sm:ml-auto"
          aria-label={`Only this: ${name}`}
          onClick={() => onChoose(only.uuid, name)}
        >
          Only this
        </Button>
      )}
      <p className="text-sm text-faint">
        {entry.address !== null && `from ${entry.address}, `}
        <time dateTime={entry.created_at} title={momentOf(entry.created_at)}>
          {ago(entry.created_at)}
        </time>
      </p>
    </li>
  )
}
