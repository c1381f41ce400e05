import { readFileSync } from 'node:fs'

/** One row of the operation table of the published interface. */
export interface PublishedOperation {
  readonly method: string
  readonly path: string
  readonly auth: 'none' | 'key' | 'signed'
}

/** The operation table, read from the text of the interface. */
export const operations: readonly PublishedOperation[] = readFileSync(
  new URL('../../docs/reference/published-interface.md', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => /^\| [^|]+ \| (GET|POST) \| \/v1\//.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, , method = '', path = '', , , headers = '']) => ({
    method,
    path,
    auth: headers === 'none' ? 'none' : headers.startsWith('key only') ? 'key' : 'signed',
  }))

/** Its writes. */
export const writes = operations.filter(({ method }) => method === 'POST')

/** A field of every write that takes any text. */
export const textFields: Readonly<Record<string, string>> = {
  '/v1/update-personal-info': 'first_name',
  '/v1/add-feedback': 'feedback',
  '/v1/update-password': 'old_password',
  '/v1/remove-account': 'reason',
  '/v1/generate-barcode': 'description',
  '/v1/edit-barcode': 'description',
  '/v1/remove-barcode': 'uuid',
  '/v1/generate-page': 'title',
  '/v1/edit-page': 'title',
  '/v1/remove-page': 'uuid',
  '/v1/generate-link': 'description',
  '/v1/edit-links': 'description',
  '/v1/remove-links': 'uuid',
  '/v1/generate-qr': 'description',
  '/v1/edit-qr': 'description',
  '/v1/remove-qr': 'uuid',
  '/v1/generate-utm': 'source',
  '/v1/edit-utm': 'source',
  '/v1/remove-utm': 'uuid',
}
