import { isIP } from 'node:net'
import type { Data } from '@waymark/contract/schemas'
import { isoTime } from '../../runtime/times.ts'
import type { DomainClaimRow } from './claims.store.ts'
import type { DomainRow } from './domains.store.ts'

export type Domain = Data<'domains'>[number]

/** The name of the TXT record that proves a domain. */
export const txtName = (name: string): string => `_waymark.${name}`

/** What a domain has before its owner chooses anything. */
export const NO_SETTINGS = {
  root_url: null,
  not_found_url: null,
  expired_url: null,
  brand_name: null,
  brand_color: null,
  logo_hash: null,
} as const satisfies Partial<DomainRow>

/** The records that prove a domain and lead its visitors to the host of the instance. */
const recordsOf = (name: string, token: string, own: string): Domain['records'] => {
  const version = isIP(own.replace(/^\[|\]$/g, ''))
  const type = version === 4 ? 'A' : version === 6 ? 'AAAA' : 'CNAME'
  const address = { type, name, value: own.replace(/^\[|\]$/g, '') } as const
  return token === '' ? [address] : [{ type: 'TXT', name: txtName(name), value: token }, address]
}

/** Domains and claims as responses show them. */
export const createDomainResponses = (own: string, mediaUrl: (hash: string) => string) => {
  const present = ({ logo_hash, ...row }: DomainRow): Domain => ({
    name: row.name,
    verified: row.verified_at !== null,
    shared: row.user_uuid === null,
    txt_name: row.token === '' ? null : txtName(row.name),
    txt_value: row.token === '' ? null : row.token,
    records: row.user_uuid === null ? [] : recordsOf(row.name, row.token, own),
    root_url: row.root_url,
    not_found_url: row.not_found_url,
    expired_url: row.expired_url,
    brand_name: row.brand_name,
    brand_color: row.brand_color,
    logo: logo_hash === null ? null : mediaUrl(logo_hash),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  })
  const { logo_hash: logo, ...noSettings } = NO_SETTINGS
  return {
    present,
    presentClaim: (row: DomainClaimRow): Domain =>
      present({ ...NO_SETTINGS, ...row, updated_at: row.created_at, verified_at: null }),
    /** The host of the instance itself. */
    presentOwn: (): Domain => ({
      name: own,
      verified: true,
      shared: true,
      txt_name: null,
      txt_value: null,
      records: [],
      ...noSettings,
      logo,
      created_at: null,
      updated_at: null,
    }),
  }
}

export type DomainResponses = ReturnType<typeof createDomainResponses>
