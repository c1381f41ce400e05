import { openCountries } from '../clicks/facts/countries.ts'
import { remembered } from '../clicks/facts/remembered.ts'
import type { Core } from '../modules/module.ts'
import type { IsBlocked } from '../visitors/links/blocked-links.ts'
import type { Lookup } from '../visitors/links/lookup.ts'
import { openLookup } from '../visitors/links/open-lookup.ts'

/** Addresses whose country is kept in memory: a look into the database takes a few microseconds. */
const REMEMBERED_ADDRESSES = 5_000

/** Finds where a short code leads; the redirect path and simulations share it. */
export function openLinkLookup({ db, secrets, tombstones }: Core, isBlocked: IsBlocked): Lookup {
  return openLookup(db, (domain, shortCode) => tombstones.hash(['code', domain, shortCode]), {
    countryOf: remembered(REMEMBERED_ADDRESSES, openCountries()),
    visitorHash: (text) => secrets.number('variant', text),
    isBlocked,
  })
}
