import type { DomainClaimRow } from './claims.store.ts'
import { type Domain, domainFields, NO_SETTINGS } from './domain-fields.ts'
import type { DomainRow } from './domains.store.ts'

/** Converts domains and claims to responses. */
export const createDomainResponses = (own: string, mediaUrl: (hash: string) => string) => {
  const present = (row: DomainRow): Domain => domainFields.show(row, { own, mediaUrl })
  return {
    present,
    /** For callers who may not manage domains: what choosing a domain for a link or page needs. */
    presentName: (domain: Domain): Domain => ({
      ...domain,
      txt_name: null,
      txt_value: null,
      records: [],
      root_url: null,
      not_found_url: null,
      expired_url: null,
      brand_name: null,
      brand_color: null,
      logo: null,
    }),
    presentClaim: (row: DomainClaimRow): Domain => present({ ...NO_SETTINGS, ...row, verified_at: null }),
    /** The host of the instance itself, which has no row. */
    presentOwn(): Domain {
      const always = { uuid: '', name: own, workspace_uuid: null, token: '', verified_at: 0 }
      const row = present({ ...NO_SETTINGS, ...always, created_at: 0, updated_at: 0 })
      return { ...row, created_at: null, updated_at: null }
    },
  }
}

export type DomainResponses = ReturnType<typeof createDomainResponses>
