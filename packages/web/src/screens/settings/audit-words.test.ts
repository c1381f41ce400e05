import { type Operation, operations } from '@waymark/contract'
import { describe, expect, test } from 'vitest'
import { actorOf, type AuditEntry, deedOf } from './audit-words.ts'

const entry = (fields: Partial<AuditEntry>): AuditEntry => ({
  uuid: 'entry',
  created_at: '2026-11-18T12:00:00.000Z',
  actor: 'user',
  user: { uuid: 'user', name: 'Ada' },
  credential: null,
  operation: 'editLinks',
  resources: [{ uuid: 'link', name: '/spring' }],
  resource_count: 1,
  fields: [],
  details: null,
  rejected: 0,
  address: null,
  request_id: null,
  ...fields,
})

describe('the sentence of an entry', () => {
  test.each([
    [{ fields: ['link'] }, 'changed the destination of /spring'],
    [
      { fields: ['link', 'customLink', 'expire'] },
      'changed the destination, short code, and expiry of /spring',
    ],
    [{ operation: 'generateLink' }, 'created the link /spring'],
    [{ operation: 'removeQr', resources: [{ uuid: 'x', name: null }] }, 'removed a QR code'],
    [
      { operation: 'generateKey', resources: [{ uuid: 'x', name: null }] },
      'created an API key, which was removed later',
    ],
    [
      { operation: 'createWorkspace', resources: [{ uuid: 'x', name: 'Shop' }] },
      'created the workspace Shop',
    ],
    [{ operation: 'generateLinks', resource_count: 30 }, 'created /spring and 29 more'],
    [{ operation: 'bulkEditLinks' }, 'changed several links: /spring'],
    [{ operation: 'bulkEditLinks', resources: [{ uuid: 'x', name: null }] }, 'changed several links'],
    [{ operation: 'editMember', details: { role: 'admin' } }, 'changed the role of /spring to admin'],
    [
      { operation: 'editWorkspace', resources: [], resource_count: 0, fields: ['name'] },
      'changed the name of the workspace',
    ],
    [{ operation: 'confirmTotp', resources: [], resource_count: 0 }, 'set up an authenticator app'],
    [{ operation: 'removePasskey', resources: [{ uuid: 'x', name: null }] }, 'removed a passkey'],
    [{ operation: 'replaceRecoveryCodes', fields: [] }, 'created new recovery codes'],
    [
      { operation: 'user reset-second-factor', resources: [{ uuid: 'user', name: 'Ada' }] },
      'removed the second factor of Ada',
    ],
    [{ operation: 'shareStatistics' }, 'shared the statistics of /spring'],
    [{ operation: 'key create', resources: [], resource_count: 0 }, 'ran key create'],
    [{ operation: 'takeout', resources: [], resource_count: 0 }, 'downloaded the data of the workspace'],
  ] satisfies [Partial<AuditEntry>, string][])('%j', (fields, words) => {
    expect(deedOf(entry(fields))).toBe(words)
  })

  test('every recorded write has one', () => {
    for (const [operation, { method, auth, audited }] of Object.entries(
      operations as Record<string, Operation>,
    ))
      if (method === 'POST' && auth !== 'none' && audited !== false)
        expect(deedOf(entry({ operation, resources: [], resource_count: 0 }))).not.toBe(`ran ${operation}`)
  })

  test('names the actor', () => {
    expect(actorOf(entry({}))).toBe('Ada')
    expect(actorOf(entry({ user: { uuid: 'user', name: null } }))).toBe('A removed user')
    const shop = { uuid: 'key', name: 'Shop' }
    expect(actorOf(entry({ actor: 'key', credential: shop }))).toBe('Ada, with the API key Shop,')
    expect(actorOf(entry({ actor: 'command_line', user: null }))).toBe('The command line')
  })
})
