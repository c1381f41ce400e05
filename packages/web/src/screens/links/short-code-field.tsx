import { useQuery } from '@tanstack/react-query'
import type { Link } from '@waymark/sdk'
import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { domainsQuery } from '../../api/account.ts'
import { sentenceOf } from '../../api/client.ts'
import { shortCodeQuery } from '../../api/short-codes.ts'
import { type ControlProps, Field } from '../../ui/field.tsx'
import { usePaused } from '../../ui/use-paused.ts'
import { fieldLabels, type LinkFormState } from './link-form.ts'

const TYPING_MS = 250

/** The short code after its domain, and whether it can be used. */
export function ShortCodeField({ form, link }: { readonly form: LinkFormState; readonly link: Link | null }) {
  const { values, set, faults } = form
  return (
    <Field
      label={fieldLabels.customLink}
      isOptional={link === null}
      faults={[...(faults['customLink'] ?? []), ...(faults['domain'] ?? [])]}
      hint={<Availability code={values.customLink.trim()} domain={values.domain} link={link} />}
    >
      {(control) => (
        <div className="flex">
          <DomainPrefix value={values.domain} onValue={(domain) => set('domain', domain)} />
          <input
            {...(control satisfies ControlProps)}
            type="text"
            name="customLink"
            className="input min-w-0 rounded-l-none font-mono"
            placeholder={link === null ? 'generated automatically' : undefined}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            value={values.customLink}
            onChange={({ target }) => set('customLink', target.value)}
          />
        </div>
      )}
    </Field>
  )
}

/** The domain before the short code: a choice if there are several. */
function DomainPrefix({
  value,
  onValue,
}: {
  readonly value: string
  readonly onValue: (domain: string) => void
}) {
  const { data: domains = [] } = useQuery(domainsQuery)
  const usable = domains.filter(({ verified }) => verified)
  const chosen = value === '' ? (usable[0]?.name ?? location.hostname) : value
  const look = 'shrink-0 rounded-r-none border-r-0 bg-sunken font-mono text-sm text-muted'
  if (usable.length < 2)
    return (
      <span className={`input flex w-auto max-w-[55%] items-center ${look}`}>
        <span className="truncate">{chosen}/</span>
      </span>
    )
  return (
    <select
      aria-label={fieldLabels.domain}
      className={`input w-auto max-w-[55%] text-ellipsis ${look}`}
      value={chosen}
      onChange={({ target }) => onValue(target.value)}
    >
      {usable.map(({ name }) => (
        <option key={name} value={name}>
          {name}/
        </option>
      ))}
    </select>
  )
}

function Availability({
  code,
  domain,
  link,
}: {
  readonly code: string
  readonly domain: string
  readonly link: Link | null
}) {
  const asked = usePaused(code, TYPING_MS)
  const isOwn = link !== null && asked === link.code && (domain === '' || domain === link.domain)
  const { data, error, isFetching } = useQuery({
    ...shortCodeQuery(asked, domain === '' ? undefined : domain),
    enabled: asked !== '' && !isOwn,
  })
  const remark = (): ReactNode => {
    if (code === '') return link === null ? 'Letters, digits, hyphens and underscores.' : null
    if (link !== null && code === link.code && isOwn)
      return 'The old short code keeps working after a change.'
    if (asked !== code || isFetching)
      return (
        <Remark look="text-faint">
          <LoaderCircle aria-hidden size={14} className="animate-spin" /> Checking
        </Remark>
      )
    if (error !== null) return <No>{sentenceOf(error)}</No>
    if (data?.state === 'available' || (data !== undefined && data.uuid !== null && data.uuid === link?.uuid))
      return (
        <Remark look="font-medium text-brand">
          <CircleCheck aria-hidden size={14} />
          {data.state === 'available' ? 'Available' : 'An earlier short code of this link'}
        </Remark>
      )
    if (data?.state === 'reserved') return <No>This word is reserved</No>
    return data === undefined ? null : (
      <No>{data.uuid === null ? 'Taken' : 'Taken by another link of yours'}</No>
    )
  }
  return <span aria-live="polite">{remark()}</span>
}

const Remark = ({ look, children }: { readonly look: string; readonly children: ReactNode }) => (
  <span className={`flex items-center gap-1.5 ${look}`}>{children}</span>
)

const No = ({ children }: { readonly children: ReactNode }) => (
  <Remark look="font-medium text-danger">
    <CircleX aria-hidden size={14} /> {children}
  </Remark>
)
