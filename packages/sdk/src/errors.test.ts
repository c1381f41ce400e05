import { describe, expect, it } from 'vitest'
import { errorOf, readRetryAfter } from './errors.ts'
import * as sdk from './index.ts'

const headers = (values: Record<string, string> = {}) => new Headers(values)

describe('an error', () => {
  it.each([
    [400, sdk.InvalidRequestError, 'invalid_request'],
    [401, sdk.AuthenticationError, 'authentication_failed'],
    [402, sdk.QuotaError, 'quota_reached'],
    [403, sdk.PermissionError, 'permission_denied'],
    [404, sdk.NotFoundError, 'not_found'],
    [405, sdk.InvalidRequestError, 'method_not_allowed'],
    [409, sdk.ConflictError, 'conflict'],
    [412, sdk.PreconditionError, 'precondition_failed'],
    [413, sdk.InvalidRequestError, 'too_large'],
    [415, sdk.InvalidRequestError, 'unsupported_type'],
    [418, sdk.WaymarkError, 'status_418'],
    [422, sdk.ValidationError, 'validation'],
    [429, sdk.RateLimitError, 'rate_limited'],
    [500, sdk.ServerError, 'internal'],
    [503, sdk.ServerError, 'unavailable'],
    [507, sdk.ServerError, 'internal'],
  ])('of %i has a class and a code', (status, Class, code) => {
    const error = errorOf(status, headers({ 'x-request-id': 'r' }), { error: 'No' }, 0)
    expect(error).toBeInstanceOf(Class)
    expect(error).toBeInstanceOf(sdk.WaymarkError)
    expect(error).toMatchObject({ name: Class.name, code, status, message: 'No', requestId: 'r', errors: {} })
  })

  it.each([
    ['API key missing', 'key_missing'],
    ['Invalid API key', 'key_invalid'],
    ['Signature missing', 'signature_missing'],
    ['Timestamp missing', 'timestamp_missing'],
    ['Timestamp invalid', 'timestamp_invalid'],
    ['Timestamp expired', 'timestamp_expired'],
    ['Invalid signature', 'signature_invalid'],
    ['Signature already used', 'signature_used'],
  ])('"%s" has a code of its own', (error, code) => {
    expect(errorOf(401, headers(), { error, canonical: 'c' }, 0)).toMatchObject({ code, canonical: 'c' })
  })

  it('of a failed precondition has the resource as it is now', () => {
    const error = errorOf(412, headers(), { error: 'Changed', data: { uuid: 'x' } }, 0)
    expect(error).toMatchObject({ data: { uuid: 'x' } })
  })

  it('survives any body', () => {
    for (const body of [
      undefined,
      null,
      [],
      'text',
      { error: 1, errors: [] },
      { errors: { a: 'x', b: [1] } },
    ])
      expect(errorOf(422, headers(), body, 0).message).toBe('The server returned 422')
    expect(errorOf(422, headers(), { errors: { a: 'x', b: [1] } }, 0).errors).toEqual({ b: ['1'] })
  })

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(readRetryAfter('17', now)).toBe(17)
    expect(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60)
    for (const header of [null, '', 'soon']) expect(readRetryAfter(header, now)).toBeUndefined()
  })
})
