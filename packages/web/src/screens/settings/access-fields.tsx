import { areas, readScopes, type Scope } from '@waymark/contract'
import type { ReactNode } from 'react'
import type { FieldFaults } from '../../forms/invalid-input.ts'
import { SelectField } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { DAY_MS } from '../../ui/times.ts'

type Area = (typeof areas)[number]

const areaNames: Record<Area, { readonly label: string; readonly hint: string }> = {
  links: { label: 'Links', hint: 'Also UTM links, tags, imports and the trash' },
  codes: { label: 'Codes', hint: 'QR codes and barcodes' },
  pages: { label: 'Pages', hint: 'Landing pages' },
  analytics: { label: 'Statistics', hint: 'Clicks, scans and views' },
  domains: { label: 'Domains', hint: 'Your own domains' },
  webhooks: { label: 'Webhooks', hint: 'Webhooks and their deliveries' },
  account: { label: 'Account', hint: 'Plan, profile, members and workspaces' },
}

/** Rights, expiry and addresses of a key or access token, in the form. */
export interface AccessValues {
  readonly name: string
  readonly access: 'write' | 'read' | 'some'
  readonly scopes: readonly Scope[]
  /** Days from now, `never`, or `date`. */
  readonly lasts: string
  /** `2026-12-24`, if `lasts` is `date`. */
  readonly date: string
  /** Separated by spaces, commas or lines. */
  readonly addresses: string
  /** Only for keys. */
  readonly signature_required: boolean
}

export const noAccess = (lasts: string): AccessValues => ({
  name: '',
  access: 'write',
  scopes: [],
  lasts,
  date: '',
  addresses: '',
  signature_required: false,
})

/** The scopes to send; null: everything. */
export const scopesIn = ({ access, scopes }: AccessValues): Scope[] | null =>
  access === 'some' ? [...scopes] : access === 'read' ? [...readScopes] : null

/** The time to send; `never` if there is none. */
export const expiryIn = ({ lasts, date }: AccessValues, nowMs: number): string =>
  lasts === 'date' ? date : lasts === 'never' ? lasts : new Date(nowMs + Number(lasts) * DAY_MS).toISOString()

export const addressesIn = ({ addresses }: AccessValues): string[] | null => {
  const list = addresses.split(/[\s,]+/).filter((address) => address !== '')
  return list.length === 0 ? null : list
}

/** The restrictions of a stored key or token, in a few words. */
export const limitsOf = ({
  scopes,
  allowed_addresses,
}: {
  readonly scopes: readonly string[] | null
  readonly allowed_addresses: readonly string[] | null
}): string[] => [
  ...(scopes === null ? [] : [scopes.join(', ')]),
  ...(allowed_addresses === null ? [] : [`only from ${allowed_addresses.join(', ')}`]),
]

const accesses = [
  { value: 'write', label: 'Everything that I may do' },
  { value: 'read', label: 'Read only' },
  { value: 'some', label: 'Only some areas' },
] as const

const lengths = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
] as const

interface AccessForm {
  readonly values: AccessValues
  readonly set: <K extends keyof AccessValues>(name: K, value: AccessValues[K]) => void
  readonly faults: FieldFaults
}

const faultsAt = (faults: FieldFaults, field: string): string[] =>
  Object.entries(faults).flatMap(([name, texts]) =>
    name === field || name.startsWith(`${field}.`) ? texts : [],
  )

/** The common fields of keys and access tokens. */
export function AccessFields({
  form,
  placeholder,
  children,
}: {
  readonly form: AccessForm
  readonly placeholder: string
  /** More fields, at the end. */
  readonly children?: ReactNode
}) {
  const { values, set, faults } = form
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        label="Name"
        isOptional
        placeholder={placeholder}
        name="name"
        value={values.name}
        onValue={(name) => set('name', name)}
        faults={faults['name']}
        className="sm:col-span-2"
      />
      <SelectField
        label="Access"
        value={values.access}
        onValue={(access) => set('access', access)}
        options={accesses}
      />
      <div className="flex items-end gap-2">
        <SelectField
          label="Expires"
          className="flex-1"
          value={values.lasts}
          onValue={(lasts) => set('lasts', lasts)}
          options={lengths}
          faults={values.lasts === 'date' ? [] : faultsAt(faults, 'expires_at')}
        />
        {values.lasts === 'date' && (
          <TextField
            label="Date"
            type="date"
            className="flex-1"
            value={values.date}
            onValue={(date) => set('date', date)}
            faults={faultsAt(faults, 'expires_at')}
          />
        )}
      </div>
      {values.access === 'some' && (
        <ScopeField
          value={values.scopes}
          onValue={(scopes) => set('scopes', scopes)}
          faults={faultsAt(faults, 'scopes')}
        />
      )}
      <TextField
        label="Allowed addresses"
        isOptional
        className="sm:col-span-2"
        placeholder="203.0.113.7, 2001:db8::/32"
        hint="IP addresses and ranges that may use it. Empty: every address."
        spellCheck={false}
        autoCapitalize="none"
        value={values.addresses}
        onValue={(addresses) => set('addresses', addresses)}
        faults={faultsAt(faults, 'allowed_addresses')}
      />
      {children !== undefined && <div className="sm:col-span-2">{children}</div>}
    </div>
  )
}

/** The rights: a line for each area, with checkboxes for read and write. */
function ScopeField({
  value,
  onValue,
  faults,
}: {
  readonly value: readonly Scope[]
  readonly onValue: (scopes: Scope[]) => void
  readonly faults: readonly string[]
}) {
  const toggle = (scope: Scope): void =>
    onValue(value.includes(scope) ? value.filter((one) => one !== scope) : [...value, scope])
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-1.5 text-sm font-semibold">Areas</legend>
      <ul className="divide-y divide-line rounded-md border border-line-strong">
        {areas.map((area) => {
          const { label, hint } = areaNames[area]
          const writes = value.includes(`${area}:write`)
          return (
            <li key={area} className="flex flex-wrap items-center gap-x-5 gap-y-1 px-3 py-2 text-sm">
              <span className="min-w-0 flex-1 basis-32">
                <span className="font-semibold">{label}</span>
                <span className="block text-faint">{hint}</span>
              </span>
              <span className="flex gap-5">
                <label className="flex min-h-9 items-center gap-2">
                  <input
                    type="checkbox"
                    className="checkbox"
                    aria-label={`Read ${label}`}
                    checked={writes || value.includes(`${area}:read`)}
                    disabled={writes}
                    onChange={() => toggle(`${area}:read`)}
                  />
                  Read
                </label>
                <label className="flex min-h-9 items-center gap-2">
                  <input
                    type="checkbox"
                    className="checkbox"
                    aria-label={`Write ${label}`}
                    checked={writes}
                    onChange={() => toggle(`${area}:write`)}
                  />
                  Write
                </label>
              </span>
            </li>
          )
        })}
      </ul>
      {faults.length > 0 && <p className="mt-1.5 text-sm font-medium text-danger">{faults.join('. ')}</p>}
    </fieldset>
  )
}
