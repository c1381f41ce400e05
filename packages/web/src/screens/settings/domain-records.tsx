import type { Domain, DomainCheck } from '@waymark/sdk'
import { Check, X } from 'lucide-react'
import { CopyButton } from '../../ui/copy.tsx'

type CheckedRecord = DomainCheck['records'][number]

/** The purpose of a record. */
const purposes = {
  TXT: 'proves that the domain is yours',
  CNAME: 'brings visitors here',
  A: 'brings visitors here',
  AAAA: 'brings visitors here',
} as const

/** The DNS records that a domain needs; after a check also the records found instead, and whether HTTPS responds. */
export function DomainRecords({
  domain: { records, verified },
  check,
}: {
  readonly domain: Domain
  readonly check: DomainCheck | null
}) {
  return (
    <div className="mt-3 space-y-4 rounded-md bg-sunken p-4 text-sm">
      {!verified && (
        <p>Create these records at your DNS provider, then verify. They can take a few minutes.</p>
      )}
      {records.map((record) => (
        <div key={`${record.type} ${record.value}`} className="space-y-1.5">
          <p>
            <strong className="font-mono">{record.type}</strong>{' '}
            <span className="text-muted">{purposes[record.type]}</span>
          </p>
          <RecordPart label="Name" value={record.name} />
          <RecordPart label="Value" value={record.value} />
        </div>
      ))}
      {check !== null && (
        <ul className="space-y-2 border-t border-line pt-3" role="status" aria-label="Result of the check">
          {check.records.map((record) => (
            <Finding key={`${record.type} ${record.name}`} isOk={record.ok}>
              {findingOf(record)}
            </Finding>
          ))}
          <Finding isOk={check.https.ok}>
            {check.https.ok ? 'HTTPS responds' : `HTTPS does not respond: ${check.https.error ?? 'unknown'}`}
          </Finding>
        </ul>
      )}
    </div>
  )
}

function findingOf({ type, ok, found }: CheckedRecord): string {
  if (ok) return `${type} record found`
  return found.length === 0
    ? `${type} record not found`
    : `${type} record has another value: ${found.join(', ')}`
}

function Finding({ isOk, children }: { readonly isOk: boolean; readonly children: string }) {
  const Icon = isOk ? Check : X
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden size={17} className={`mt-0.5 shrink-0 ${isOk ? 'text-brand' : 'text-danger'}`} />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  )
}

function RecordPart({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <p className="flex items-center gap-3">
      <span className="w-12 shrink-0 text-muted">{label}</span>
      <code className="min-w-0 flex-1 wrap-anywhere">{value}</code>
      <CopyButton text={value} label={null} what={label.toLowerCase()} />
    </p>
  )
}
