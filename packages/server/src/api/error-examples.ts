import { type OperationName, operations } from '@waymark/contract'
import { type FieldErrors, type OperationSchemas, schemas, validate } from '@waymark/contract/schemas'
import { AppError, type ErrorCode, fieldError } from '../net/errors.ts'

/** Of each status: when it is returned, and the error that stands as its example where an operation has none of its own. */
const ERRORS: Record<number, readonly [when: string, example: ErrorCode]> = {
  400: ['The request could not be read', 'malformed'],
  401: ['Authentication failed', 'key_invalid'],
  402: ["The plan's quota is reached", 'quota_reached'],
  403: ['The caller may not do this', 'scope_missing'],
  404: ['Unknown, or of another account', 'not_found'],
  408: ['The body arrived too slowly', 'too_slow'],
  409: ['A name is taken, or the resource belongs to another one', 'conflict'],
  412: ['If-Match names an older version', 'version_outdated'],
  413: ['The body is over its limit', 'too_large'],
  415: ['The content type of the body is not supported', 'unsupported_type'],
  422: ['A field or parameter breaks its rule', 'validation'],
  429: ['Rate limit exceeded', 'rate_limited'],
  500: ['Internal error', 'internal'],
  503: ['The server is busy, or its database is unavailable', 'busy'],
}

const slugTaken = fieldError('slug', 'This slug is taken', 'slug_taken')
const emailTaken = fieldError('email', 'This email is taken', 'email_taken')

/** The conflict that callers of an operation meet most often, where none is recorded. */
const CONFLICTS: Partial<Record<OperationName, AppError>> = {
  removeLinks: new AppError('link_owned'),
  editPage: slugTaken,
  bulkEditLinks: new AppError('too_many_bulk_edits'),
  undoBulkEdit: new AppError('bulk_edit_state'),
  importLinks: new AppError('too_many_imports'),
  runImport: new AppError('import_state'),
  undoImport: new AppError('import_state'),
  removeDomain: new AppError('domain_in_use'),
  addWebhook: new AppError('too_many_webhooks'),
  testWebhook: new AppError('webhook_disabled'),
  redeliverWebhook: new AppError('webhook_disabled'),
  changeEmail: emailTaken,
  confirmEmail: emailTaken,
  resendConfirmation: new AppError('email_confirmed'),
}

/** What the validation of an operation says about a page that is too long, missing fields, or a field of a wrong type. */
function fieldErrorsOf(name: OperationName): FieldErrors | undefined {
  const { body, query }: OperationSchemas = schemas[name]
  const schema = body ?? query
  if (schema === undefined) return undefined
  const fields = 'shape' in schema ? Object.keys(schema.shape as object) : []
  const [first] = fields
  const wrong = [
    ...(body === undefined && fields.includes('limit') ? [{ limit: '5000' }] : []),
    {},
    ...(first === undefined ? [] : [{ [first]: {} }]),
  ]
  for (const input of wrong) {
    const result = validate(schema, input)
    if (!result.ok) return result.errors
  }
  return undefined
}

const exampleOf = (name: OperationName, status: number): AppError => {
  if (status === 409 && CONFLICTS[name] !== undefined) return CONFLICTS[name]
  if (status === 403 && operations[name].method === 'GET') return new AppError('account_suspended')
  const errors = status === 422 ? fieldErrorsOf(name) : undefined
  return new AppError(ERRORS[status]?.[1] ?? 'internal', errors && { errors })
}

/** When an operation returns a status, and what the response then is; recorded examples come before this one. */
export const errorExample = (
  name: OperationName,
  status: number,
): { readonly when: string; readonly example: Record<string, unknown> } => ({
  when: ERRORS[status]?.[0] ?? '',
  example: exampleOf(name, status).body,
})
