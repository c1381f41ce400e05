import { isIP } from 'node:net'
import type { Body, Data } from '@waymark/contract/schemas'
import { isoTime } from '../../work/times.ts'
import type { DomainRow } from '../../storage/db/tables.ts'
import { fieldsOf } from '../owned/field-map.ts'

export type Domain = Data<'domains'>[number]
export type DomainEdit = Body<'editDomain'>

/** Data for responses that the row of a domain does not have. */
interface DomainContext {
  /** The host of the instance. */
  readonly own: string
  readonly mediaUrl: (hash: string) => string
}

/** The name of the TXT record that proves a domain. */
export const txtName = (name: string): string => `_waymark.${name}`

/** Every field of a domain, in the order of responses. */
export const domainFields = fieldsOf<DomainRow, DomainEdit, Domain, DomainContext>()({
  name: { column: 'name', isSettledByService: true, show: (row) => row.name },
  verified: { show: (row) => row.verified_at !== null },
  shared: { show: (row) => row.workspace_uuid === null },
  txt_name: { show: (row) => (row.token === '' ? null : txtName(row.name)) },
  txt_value: { show: (row) => (row.token === '' ? null : row.token) },
  records: { show: (row, { own }) => (row.workspace_uuid === null ? [] : recordsOf(row, own)) },
  root_url: { column: 'root_url', initial: null, show: (row) => row.root_url },
  not_found_url: { column: 'not_found_url', initial: null, show: (row) => row.not_found_url },
  expired_url: { column: 'expired_url', initial: null, show: (row) => row.expired_url },
  brand_name: { column: 'brand_name', initial: null, show: (row) => row.brand_name },
  brand_color: { column: 'brand_color', initial: null, show: (row) => row.brand_color },
  logo: {
    column: 'logo_hash',
    isSettledByService: true,
    show: ({ logo_hash }, { mediaUrl }) => (logo_hash === null ? null : mediaUrl(logo_hash)),
  },
  ignore_case: {
    column: 'ignore_case',
    initial: 0,
    store: (isIgnored) => (isIgnored ? 1 : 0),
    show: (row) => row.ignore_case === 1,
  },
  created_at: { show: (row) => isoTime(row.created_at) },
  updated_at: { show: (row) => isoTime(row.updated_at) },
})

/** The initial settings of a domain. */
export const NO_SETTINGS = {
  ...domainFields.newColumns({ name: '' }),
  logo_hash: null,
  has_codes: 0,
} satisfies Partial<DomainRow>

/** The records that prove a domain and point it to the host of the instance. */
function recordsOf({ name, token }: DomainRow, own: string): Domain['records'] {
  const version = isIP(own.replace(/^\[|\]$/g, ''))
  const type = version === 4 ? 'A' : version === 6 ? 'AAAA' : 'CNAME'
  const address = { type, name, value: own.replace(/^\[|\]$/g, '') } as const
  return token === '' ? [address] : [{ type: 'TXT', name: txtName(name), value: token }, address]
}
