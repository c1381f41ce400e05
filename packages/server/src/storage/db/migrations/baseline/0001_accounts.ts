import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await people(db, dialect)
  await access(db, dialect)
  await records(db, dialect)
  await requests(db, dialect)
  await blobs(db, dialect)
}

async function people(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'users', {
    columns: {
      uuid: 'key',
      email: 'key',
      password_hash: 'text',
      first_name: 'text?',
      last_name: 'text?',
      phone: 'text?',
      address: 'text?',
      image_hash: 'key?',
      plan: 'key',
      plan_started_at: 'int',
      created_at: 'int',
      updated_at: 'int',
      removed_at: 'int?',
    },
    primary: ['uuid'],
    unique: [['email']],
  })
  await dialect.createTable(db, 'erasures', {
    columns: { user_uuid: 'key', requested_at: 'int' },
    primary: ['user_uuid'],
    clustered: true,
  })
  await dialect.createTable(db, 'domains', {
    columns: { name: 'key', user_uuid: 'key?', token: 'key', verified_at: 'int?', created_at: 'int' },
    primary: ['name'],
    references: { user_uuid: 'users.uuid' },
    indexes: [['user_uuid']],
  })
}

async function access(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'api_keys', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      api_key: 'key',
      secret_sealed: 'text',
      name: 'text?',
      created_at: 'int',
      last_used_at: 'int?',
      revoked_at: 'int?',
    },
    primary: ['uuid'],
    unique: [['api_key']],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid']],
  })
  await dialect.createTable(db, 'sessions', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      token_hash: 'key',
      previous_token_hash: 'key?',
      rotated_at: 'int',
      user_agent: 'text?',
      created_at: 'int',
      last_used_at: 'int',
      expires_at: 'int',
    },
    primary: ['uuid'],
    unique: [['token_hash']],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid'], ['previous_token_hash'], ['expires_at']],
  })
  await dialect.createTable(db, 'password_resets', {
    columns: { token_hash: 'key', user_uuid: 'key', expires_at: 'int' },
    primary: ['token_hash'],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid'], ['expires_at']],
  })
}

async function records(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'feedback', {
    columns: { uuid: 'key', user_uuid: 'key', feedback: 'text', image_hash: 'key?', created_at: 'int' },
    primary: ['uuid'],
    references: { user_uuid: 'users.uuid' },
    indexes: [['user_uuid', 'uuid']],
  })
  await dialect.createTable(db, 'removal_reasons', {
    columns: { uuid: 'key', reason: 'text', created_at: 'int' },
    primary: ['uuid'],
  })
  await dialect.createTable(db, 'invoices', {
    columns: {
      uuid: 'key',
      number: 'key',
      user_uuid: 'key?',
      period_start: 'int',
      period_end: 'int',
      issued_at: 'int',
      document: 'text',
    },
    primary: ['uuid'],
    unique: [['number'], ['user_uuid', 'period_start']],
    references: { user_uuid: 'users.uuid' },
  })
  await dialect.createTable(db, 'sequences', {
    columns: { name: 'key', value: 'int' },
    primary: ['name'],
    clustered: true,
  })
  await dialect.createTable(db, 'totals', {
    columns: { user_uuid: 'key', resource: 'key', total: 'int' },
    primary: ['user_uuid', 'resource'],
    clustered: true,
  })
}

async function requests(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'used_signatures', {
    columns: { api_key: 'key', signature: 'key', expires_at: 'int' },
    primary: ['api_key', 'signature'],
    indexes: [['expires_at']],
    clustered: true,
  })
  await dialect.createTable(db, 'idempotency', {
    columns: {
      user_uuid: 'key',
      operation: 'key',
      key: 'key',
      digest: 'key',
      state: 'key',
      status: 'int?',
      body: 'text?',
      claimed_at: 'int',
      expires_at: 'int',
    },
    primary: ['user_uuid', 'operation', 'key'],
    indexes: [['expires_at']],
  })
}

async function blobs(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'blobs', {
    columns: { hash: 'key', bytes: 'int', width: 'int?', height: 'int?', created_at: 'int' },
    primary: ['hash'],
  })
  await dialect.createTable(db, 'blob_refs', {
    columns: { hash: 'key', owner: 'key', user_uuid: 'key?', created_at: 'int' },
    primary: ['hash', 'owner'],
    references: { hash: 'blobs.hash' },
    indexes: [['owner'], ['user_uuid']],
    clustered: true,
  })
}
