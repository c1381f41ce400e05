import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { jsonSchemaOf, schemas, type OperationSchemas } from './schemas/index.ts'
import { operations, type Operation } from './table.ts'

const text = readFileSync(new URL('../../../docs/reference/published-interface.md', import.meta.url), 'utf8')

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const publishedRows = text
  .split('\n')
  .filter((line) => /^\| [^|]+ \| (GET|POST) \| \/v1\//.test(line))
  .map(cells)

const authOf = (headers: string): string =>
  headers === 'none' ? 'none' : headers.startsWith('key only') ? 'key' : 'signed'
const takesOf = (contentType: string): string =>
  contentType === 'n/a' ? 'none' : contentType === 'application/json' ? 'json' : 'multipart'

const published: readonly Operation[] = Object.values(operations as Record<string, Operation>).filter(
  (operation) => operation.extension !== true,
)

/** The required fields of each operation, from the field tables of the interface. */
const requiredFields: Record<string, string[]> = {
  '/v1/update-personal-info': [],
  '/v1/add-feedback': ['feedback'],
  '/v1/update-password': ['old_password', 'password', 'confirm_password'],
  '/v1/remove-account': ['reason'],
  '/v1/generate-barcode': ['url'],
  '/v1/edit-barcode': ['uuid'],
  '/v1/remove-barcode': ['uuid'],
  '/v1/generate-page': ['title', 'slug', 'logoPosition', 'images', 'buttons'],
  '/v1/edit-page': ['uuid', 'title', 'logoPosition', 'buttons'],
  '/v1/remove-page': ['uuid'],
  '/v1/generate-link': ['link'],
  '/v1/edit-links': ['uuid', 'link'],
  '/v1/remove-links': ['uuid'],
  '/v1/generate-qr': ['url', 'pattern'],
  '/v1/edit-qr': ['uuid'],
  '/v1/remove-qr': ['uuid'],
  '/v1/generate-utm': ['url', 'source', 'medium', 'campaign', 'content'],
  '/v1/edit-utm': ['uuid', 'url', 'source', 'medium', 'campaign', 'content'],
  '/v1/remove-utm': ['uuid'],
}

describe('the table against the published interface', () => {
  it('has the 27 operations in the order and with the names of the interface', () => {
    expect(publishedRows).toHaveLength(27)
    expect(published.map(({ tag, method, path, auth, takes }) => [tag, method, path, auth, takes])).toEqual(
      publishedRows.map((row) => [row[0], row[1], row[2], authOf(row[5] ?? ''), takesOf(row[3] ?? '')]),
    )
  })

  it('requires what the interface requires', () => {
    const writes = Object.entries(operations as Record<string, Operation>).filter(
      ([, operation]) => operation.method === 'POST' && operation.extension !== true,
    )
    const required = writes.map(([name, { path }]) => {
      const { body } = (schemas as Record<string, OperationSchemas>)[name] ?? {}
      if (body === undefined) throw new Error(`${name} has no body schema`)
      const schema = jsonSchemaOf(body, 'input')
      const first = (schema['anyOf'] as Record<string, unknown>[] | undefined)?.[0] ?? schema
      return [path, ((first['required'] as string[] | undefined) ?? []).toSorted()]
    })
    expect(Object.fromEntries(required)).toEqual(
      Object.fromEntries(Object.entries(requiredFields).map(([path, fields]) => [path, fields.toSorted()])),
    )
  })

  it('has unique paths and marks every extension', () => {
    const all: Operation[] = Object.values(operations)
    expect(new Set(all.map((operation) => operation.path)).size).toBe(all.length)
    const publishedTags = new Set(published.map((operation) => operation.tag))
    for (const operation of all.filter(({ extension }) => extension))
      expect(publishedTags.has(operation.tag)).toBe(false)
  })

  it('marks every write whose response the server does not store as not repeatable', () => {
    const secrets = new Set(['secret', 'token', 'totp_secret', 'recovery_codes', 'invite_url', 'shared_url'])
    // Their cookies are secrets.
    const withCookie = ['setUpIdentity', 'beginOidcProof', 'reauthenticate']
    const once = Object.entries(operations as Record<string, Operation>).flatMap(([name, operation]) => {
      const { response } = (schemas as Record<string, OperationSchemas>)[name] ?? {}
      if (operation.method === 'GET' || response === undefined) return []
      const { properties } = jsonSchemaOf(response, 'output') as {
        properties?: { data?: { properties?: object } }
      }
      const holdsSecret = Object.keys(properties?.data?.properties ?? {}).some((field) => secrets.has(field))
      return holdsSecret || operation.auth === 'none' || withCookie.includes(name) ? [name] : []
    })
    expect(once).toContain('addWebhook')
    const marked = Object.entries(operations as Record<string, Operation>)
      .filter(([, { repeatable }]) => repeatable === false)
      .map(([name]) => name)
    // These look something up and change nothing.
    expect(marked.toSorted()).toEqual(once.filter((name) => name !== 'checkReset').toSorted())
  })

  it('names for every edit the operation that reads the resource', () => {
    const all = operations as Record<string, Operation>
    // A workspace is identified by a header, not by its uuid.
    const edits = Object.entries(all).filter(([name]) => /^(edit(?!Workspace)|updatePersonalInfo)/.test(name))
    expect(edits.map(([, { edits: reader = '' }]) => all[reader]?.method)).toEqual(edits.map(() => 'GET'))
  })
})

describe('operations that need disk space', () => {
  const all = Object.entries(operations as Record<string, Operation>)
  const growing = all.filter(([, { grows }]) => grows === true).map(([name]) => name)

  it('are those that create, add, import or edit something, and none that remove, end or read', () => {
    const creating = all.filter(([name]) => /^(?:generate|add|import|edit|create|signUp)[A-Z]?/.test(name))
    expect(creating.filter(([name, { method }]) => method === 'POST' && !growing.includes(name))).toEqual([])
    expect(growing.filter((name) => /^(?:remove|undo|sign(?:In|Out)|reset)/.test(name))).toEqual([])
    expect(growing.filter((name) => operations[name as keyof typeof operations].method === 'GET')).toEqual([])
  })
})
