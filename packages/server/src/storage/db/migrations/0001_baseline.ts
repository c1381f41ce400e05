import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** The whole schema, by subject. Until it is frozen (scripts/freeze-schema.ts), every change of the schema is made here. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await accounts(db, dialect)
  await access(db, dialect)
  await domains(db, dialect)
  await links(db, dialect)
  await linkLists(db)
  await linkSearchTexts(db, dialect)
  await codes(db, dialect)
  await pages(db, dialect)
  await utm(db, dialect)
  await sharedStatistics(db, dialect)
  await trash(db, dialect)
  await clicks(db, dialect)
  await webhooks(db, dialect)
  await imports(db, dialect)
  await bulkEdits(db, dialect)
  await instance(db, dialect)
  await blobs(db, dialect)
}

async function accounts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
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
      confirmed_at: 'int?',
      created_at: 'int',
      updated_at: 'int',
      removed_at: 'int?',
    },
    primary: ['uuid'],
    unique: [['email']],
    indexes: [['removed_at?']],
  })
  // Signing up creates a first workspace with the same uuid.
  await dialect.createTable(db, 'workspaces', {
    columns: {
      uuid: 'key',
      name: 'text',
      // Colours and logo, as JSON.
      brand_kit: 'text?',
      plan: 'key',
      plan_started_at: 'int',
      require_second_factor: { int: 0 },
      created_at: 'int',
      updated_at: 'int',
      removed_at: 'int?',
    },
    primary: ['uuid'],
  })
  await dialect.createTable(db, 'members', {
    columns: { workspace_uuid: 'key', user_uuid: 'key', role: 'key', created_at: 'int' },
    primary: ['workspace_uuid', 'user_uuid'],
    references: { workspace_uuid: 'workspaces.uuid cascade', user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid', 'created_at']],
    clustered: true,
  })
  await dialect.createTable(db, 'invitations', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      email: 'key',
      role: 'key',
      token_hash: 'key',
      created_by: 'key?',
      credential_uuid: 'key?',
      created_at: 'int',
      expires_at: 'int',
    },
    primary: ['uuid'],
    unique: [['token_hash'], ['workspace_uuid', 'email']],
    references: { workspace_uuid: 'workspaces.uuid cascade' },
    indexes: [['expires_at']],
  })
  // Removed workspaces whose rows and files are still to be deleted.
  await dialect.createTable(db, 'erasures', {
    // With the user, if the workspace is removed because its user is.
    columns: { workspace_uuid: 'key', user_uuid: 'key?', requested_at: 'int' },
    primary: ['workspace_uuid'],
    clustered: true,
  })
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
      workspace_uuid: 'key?',
      period_start: 'int',
      period_end: 'int',
      issued_at: 'int',
      document: 'text',
    },
    primary: ['uuid'],
    unique: [['number'], ['workspace_uuid', 'period_start']],
    references: { workspace_uuid: 'workspaces.uuid' },
  })
  await dialect.createTable(db, 'totals', {
    columns: { workspace_uuid: 'key', resource: 'key', total: 'int' },
    primary: ['workspace_uuid', 'resource'],
    clustered: true,
  })
}

async function access(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'api_keys', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      api_key: 'key',
      secret_sealed: 'text',
      name: 'text?',
      // Null allows everything; `scope` is what was asked for in the place of a list.
      scope: 'key?',
      scopes: 'text?',
      signature_required: 'int',
      expires_at: 'int?',
      allowed_addresses: 'text?',
      created_by: 'key?',
      // A key of the command line acts as owner, whatever role its user has.
      by_operator: { int: 0 },
      // The role of its creator when they were removed and the key was kept; it then has no creator.
      kept_role: 'key?',
      created_at: 'int',
      last_used_at: 'int?',
      revoked_at: 'int?',
    },
    primary: ['uuid'],
    unique: [['api_key']],
    references: { workspace_uuid: 'workspaces.uuid cascade' },
    indexes: [['workspace_uuid'], ['created_by']],
  })
  await dialect.createTable(db, 'tokens', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      token_hash: 'key',
      name: 'text?',
      scopes: 'text?',
      expires_at: 'int?',
      allowed_addresses: 'text?',
      created_by: 'key?',
      by_operator: { int: 0 },
      kept_role: 'key?',
      created_at: 'int',
      last_used_at: 'int?',
      revoked_at: 'int?',
    },
    primary: ['uuid'],
    unique: [['token_hash']],
    references: { workspace_uuid: 'workspaces.uuid cascade' },
    indexes: [['workspace_uuid', 'uuid'], ['created_by']],
  })
  // Who changed what. No reference to the user: an entry outlives them.
  await dialect.createTable(db, 'audit_log', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      created_at: 'int',
      // `user`, `key`, `token`, `command_line` or `system`.
      actor: 'key',
      // The key or token; the user it stands for.
      credential_uuid: 'key?',
      user_uuid: 'key?',
      operation: 'key',
      // JSON: up to 20 uuids, the names of changed fields, and values of roles and scopes.
      resources: 'text',
      resource_count: 'int',
      fields: 'text',
      details: 'text?',
      // Of the counter of an hour: how many requests a missing role or scope rejected.
      rejected: { int: 0 },
      address: 'text?',
      request_id: 'text?',
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid cascade' },
    indexes: [['workspace_uuid', 'uuid'], ['created_at']],
  })
  await dialect.createTable(db, 'sessions', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      token_hash: 'key',
      previous_token_hash: 'key?',
      rotated_at: 'int',
      // When the user last proved who they are: by signing in, or by `reauthenticate`.
      proved_at: 'int',
      user_agent: 'text?',
      country: 'text?',
      created_at: 'int',
      last_used_at: 'int',
      expires_at: 'int',
    },
    primary: ['uuid'],
    unique: [['token_hash']],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid'], ['previous_token_hash'], ['expires_at']],
  })
  // Sign-ins, and what the owner of an account is told by mail.
  await dialect.createTable(db, 'security_events', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      kind: 'key',
      detail: 'text?',
      user_agent: 'text?',
      country: 'text?',
      count: 'int',
      created_at: 'int',
    },
    primary: ['uuid'],
    unique: [['user_uuid', 'kind', 'created_at']],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid', 'created_at'], ['created_at']],
  })
  await dialect.createTable(db, 'password_resets', {
    columns: { token_hash: 'key', user_uuid: 'key', expires_at: 'int' },
    primary: ['token_hash'],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid'], ['expires_at']],
  })
  await dialect.createTable(db, 'email_confirmations', {
    columns: { token_hash: 'key', user_uuid: 'key', email: 'key', cancel_hash: 'key?', expires_at: 'int' },
    primary: ['token_hash'],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid'], ['cancel_hash']],
  })
  await secondFactors(db, dialect)
}

async function secondFactors(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'totp_factors', {
    columns: {
      user_uuid: 'key',
      secret_sealed: 'text',
      // The 30-second step of the last code that was used: a code works once.
      last_step: 'int',
      created_at: 'int',
      // Null until the first code.
      confirmed_at: 'int?',
    },
    primary: ['user_uuid'],
    references: { user_uuid: 'users.uuid cascade' },
  })
  await dialect.createTable(db, 'recovery_codes', {
    columns: { user_uuid: 'key', code_hash: 'key' },
    primary: ['user_uuid', 'code_hash'],
    references: { user_uuid: 'users.uuid cascade' },
  })
  // Wrong codes, in the current hour and day. In the database, so that all processes count together without Redis too.
  await dialect.createTable(db, 'code_tries', {
    columns: { user_uuid: 'key', trier: 'key', period: 'key', began_at: 'int', count: 'int' },
    primary: ['user_uuid', 'trier', 'period'],
    references: { user_uuid: 'users.uuid cascade' },
    clustered: true,
  })
  await dialect.createTable(db, 'sign_in_challenges', {
    columns: { token_hash: 'key', kind: 'key', user_uuid: 'key', first_step: 'key?', expires_at: 'int' },
    primary: ['token_hash'],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid'], ['expires_at']],
  })
  await dialect.createTable(db, 'identities', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      issuer: 'key',
      subject: 'key',
      // As the provider gave it. It identifies no one.
      email: 'text?',
      created_at: 'int',
      last_used_at: 'int?',
    },
    primary: ['uuid'],
    unique: [['issuer', 'subject']],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid']],
  })
  await dialect.createTable(db, 'passkeys', {
    columns: {
      uuid: 'key',
      user_uuid: 'key',
      // In base64url, as the authenticator gave it.
      credential_id: 'key',
      public_key: 'text',
      counter: 'int',
      transports: 'text',
      // The host of BASE_URL at the time: the passkey works there alone.
      rp_id: 'key',
      name: 'text',
      created_at: 'int',
      last_used_at: 'int?',
    },
    primary: ['uuid'],
    unique: [['credential_id']],
    references: { user_uuid: 'users.uuid cascade' },
    indexes: [['user_uuid']],
  })
  // Challenges that were answered; those that were not are stored nowhere.
  await dialect.createTable(db, 'used_challenges', {
    columns: { hash: 'key', expires_at: 'int' },
    primary: ['hash'],
    indexes: [['expires_at']],
  })
}

async function domains(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'domains', {
    columns: {
      uuid: 'key',
      name: 'key',
      workspace_uuid: 'key?',
      token: 'key',
      verified_at: 'int?',
      root_url: 'text?',
      not_found_url: 'text?',
      expired_url: 'text?',
      brand_name: 'text?',
      brand_color: 'text?',
      logo_hash: 'key?',
      ignore_case: { int: 0 },
      // Set with the first short code: from then on `ignore_case` stays as it is.
      has_codes: { int: 0 },
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    unique: [['name']],
    references: { workspace_uuid: 'workspaces.uuid' },
    indexes: [['workspace_uuid', 'uuid']],
  })
  // One per name and account: an unproven claim does not keep another account from claiming the name.
  await dialect.createTable(db, 'domain_claims', {
    columns: {
      uuid: 'key',
      name: 'key',
      workspace_uuid: 'key',
      token: 'key',
      ignore_case: { int: 0 },
      created_at: 'int',
      updated_at: 'int',
    },
    primary: ['uuid'],
    unique: [['name', 'workspace_uuid']],
    references: { workspace_uuid: 'workspaces.uuid cascade' },
    indexes: [['workspace_uuid', 'uuid'], ['created_at']],
  })
}

/**
 * `trashed_at` is 0 and not null for rows outside the trash, here and in other resources: as an equality in front of
 * `uuid` it lets one index serve lists, the trash and all rows of a user.
 */
async function links(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'links', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      domain: 'key',
      short_code: 'key',
      url: 'text',
      title: 'text?',
      description: 'text?',
      tag: 'key?',
      more_tags: 'text?',
      starts_at: 'int?',
      expires_at: 'int?',
      custom: 'int',
      redirect: 'int',
      forward_query: { int: 0 },
      forward_path: { int: 0 },
      password_hash: 'text?',
      max_clicks: 'int?',
      ios_url: 'text?',
      android_url: 'text?',
      // JSON lists.
      rules: 'text?',
      variants: 'text?',
      // The card that apps show when the link is shared, as JSON.
      preview: 'text?',
      owner_type: 'key?',
      owner_uuid: 'key?',
      clicks: 'int',
      bot_clicks: 'int',
      imported_clicks: { int: 0 },
      last_click_at: 'int?',
      // The import itself is deleted after 90 days; the history of a link is not.
      imported_at: 'int?',
      archived: { int: 0 },
      created_by: 'key?',
      created_at: 'int',
      updated_at: 'int',
      trashed_at: { int: 0 },
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    indexes: [['workspace_uuid', 'trashed_at', 'uuid']],
    clustered: true,
  })
  await dialect.createTable(db, 'short_codes', {
    columns: { domain: 'key', short_code: 'key', link_uuid: 'key', created_at: 'int' },
    primary: ['domain', 'short_code'],
    references: { link_uuid: 'links.uuid cascade' },
    indexes: [['link_uuid']],
    clustered: true,
  })
  // Names that were removed, as keyed hashes.
  await dialect.createTable(db, 'tombstones', {
    columns: { hash: 'key', created_at: 'int' },
    primary: ['hash'],
    clustered: true,
  })
  await dialect.createTable(db, 'link_tags', {
    columns: { workspace_uuid: 'key', tag: 'key', link_uuid: 'key' },
    primary: ['workspace_uuid', 'tag', 'link_uuid'],
    references: { link_uuid: 'links.uuid cascade' },
    indexes: [['link_uuid']],
    clustered: true,
  })
  // Earlier destinations, with rules and variants, as JSON.
  await dialect.createTable(db, 'link_versions', {
    columns: {
      uuid: 'key',
      link_uuid: 'key',
      version: 'text',
      cause: 'key',
      cause_name: 'text?',
      created_at: 'int',
    },
    primary: ['uuid'],
    references: { link_uuid: 'links.uuid cascade' },
    indexes: [['link_uuid', 'uuid']],
    clustered: true,
  })
  await dialect.createTable(db, 'limited_clicks', {
    columns: { link_uuid: 'key', used: 'int' },
    primary: ['link_uuid'],
    references: { link_uuid: 'links.uuid cascade' },
    clustered: true,
  })
}

/** What the lists of links can be sorted and filtered by: one index for each query. */
async function linkLists(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_by_clicks on links (workspace_uuid, trashed_at, clicks, uuid)`.execute(db)
  // Links that were never clicked come last on both engines, which sort nulls differently.
  await sql`create index links_by_last_click on links (workspace_uuid, trashed_at, coalesce(last_click_at, 0), uuid)`.execute(
    db,
  )
  // Few links are archived or can end: those that are not active are found without reading all the others.
  await sql`create index links_set_aside on links (workspace_uuid, trashed_at, uuid)
    where archived = 1 or expires_at is not null or max_clicks is not null`.execute(db)
  // Links that have nothing but a destination, for `reuse`. No URL of theirs is too long for an index of PostgreSQL.
  await sql`create index links_plain on links (workspace_uuid, domain, url, uuid)
    where owner_type is null and trashed_at = 0 and custom = 0 and archived = 0
    and title is null and description is null and tag is null and starts_at is null and expires_at is null
    and redirect = 302 and max_clicks is null and password_hash is null and forward_query = 0 and forward_path = 0
    and ios_url is null and android_url is null and rules is null and variants is null and preview is null`.execute(
    db,
  )
}

/** Both columns contain ASCII only: a search beyond ASCII need not look there. */
const ADDRESS = ['short_code', 'url']
const WORDS = ['title', 'description', 'tag', 'more_tags']

/**
 * What a search looks into, for links that are not in the trash: one narrow row per link, since a search reads all of
 * them (docs/adr/0023-search-texts.md). Triggers write it, so that every statement that changes links keeps it up to
 * date, those of an earlier version during a rolling upgrade too.
 */
async function linkSearchTexts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'link_search_texts', {
    columns: { workspace_uuid: 'key', link_uuid: 'key', address: 'key', words: 'key' },
    primary: ['workspace_uuid', 'link_uuid'],
    clustered: true,
  })
  const isSqlite = dialect.engine === 'sqlite'
  const text = isSqlite ? sqliteText : postgresText
  const insert = (row: string): string =>
    `insert into link_search_texts (workspace_uuid, link_uuid, address, words)
      select ${row}workspace_uuid, ${row}uuid, ${text(row, ADDRESS)}, ${text(row, WORDS)}`
  for (const statement of isSqlite ? sqliteTriggers(insert) : postgresTriggers(insert))
    await sql.raw(statement).execute(db)
}

/** No search matches across two columns: it would have to contain the separator (modules/links/link-search.ts). */
const joined = (row: string, columns: readonly string[], separator: string): string =>
  columns.map((column) => `coalesce(${row}${column}, '')`).join(` || ${separator} || `)

/** Only ASCII is folded, on both engines. */
const sqliteText = (row: string, columns: readonly string[]): string =>
  `lower(${joined(row, columns, 'char(1)')})`
const postgresText = (row: string, columns: readonly string[]): string =>
  `lower((${joined(row, columns, 'chr(1)')}) collate "C")`

/** A click changes none of them. */
const CHANGING = [...ADDRESS, ...WORDS, 'trashed_at'].join(', ')

const remove = `delete from link_search_texts where workspace_uuid = old.workspace_uuid and link_uuid = old.uuid`

const sqliteTriggers = (insert: (row: string) => string): string[] => [
  `create trigger link_search_texts_insert after insert on links when new.trashed_at = 0
    begin ${insert('new.')}; end`,
  `create trigger link_search_texts_update after update of ${CHANGING} on links
    begin ${remove}; ${insert('new.')} where new.trashed_at = 0; end`,
  `create trigger link_search_texts_delete after delete on links begin ${remove}; end`,
]

const postgresTriggers = (insert: (row: string) => string): string[] => [
  // One statement for all links of an import.
  `create function link_search_texts_insert() returns trigger language plpgsql as $$
    begin
      ${insert('')} from added where trashed_at = 0;
      return null;
    end $$`,
  `create function link_search_texts_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        ${remove};
      elsif new.trashed_at <> 0 then
        ${remove};
      else
        ${insert('new.')}
          on conflict (workspace_uuid, link_uuid)
            do update set address = excluded.address, words = excluded.words;
      end if;
      return null;
    end $$`,
  `create trigger link_search_texts_insert after insert on links referencing new table as added
    for each statement execute function link_search_texts_insert()`,
  `create trigger link_search_texts_update after update of ${CHANGING} on links
    for each row execute function link_search_texts_change()`,
  `create trigger link_search_texts_delete after delete on links
    for each row execute function link_search_texts_change()`,
]

async function codes(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'qrcodes', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      url: 'text',
      // JSON of what the code says instead of the URL, its payload, and its values for searches. Apart from `encodes`, in
      // which requests with the key alone search.
      content: 'text?',
      payload: 'text?',
      content_text: 'text?',
      description: 'text?',
      size: 'int',
      color: 'key',
      eye_color: 'key',
      background: 'key',
      margin: 'int',
      pattern: 'key',
      // Null is the plain shape, and no frame.
      style: 'text?',
      eye_style: 'text?',
      frame: 'text?',
      frame_font: 'text?',
      logo_hash: 'key?',
      dynamic: 'int',
      link_uuid: 'key?',
      encodes: 'text',
      drawing: 'text',
      warnings: 'text',
      // JSON; null before the first grade.
      grade: 'text?',
      version: 'key',
      created_by: 'key?',
      created_at: 'int',
      updated_at: 'int',
      trashed_at: { int: 0 },
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    indexes: [['workspace_uuid', 'trashed_at', 'uuid'], ['link_uuid']],
  })
  await dialect.createTable(db, 'barcodes', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      url: 'text',
      // The text or number that the barcode encodes; null where it encodes the URL.
      value: 'text?',
      description: 'text?',
      size: 'real',
      color: 'key',
      text: 'text?',
      text_size: 'real',
      text_color: 'key',
      text_position: 'key',
      symbology: 'key',
      dynamic: 'int',
      link_uuid: 'key?',
      encodes: 'text',
      warnings: 'text',
      // JSON; null before the first grade.
      grade: 'text?',
      version: 'key',
      created_by: 'key?',
      created_at: 'int',
      updated_at: 'int',
      trashed_at: { int: 0 },
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    indexes: [['workspace_uuid', 'trashed_at', 'uuid'], ['link_uuid']],
  })
}

async function pages(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'pages', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      domain: 'key',
      slug: 'key',
      title: 'text',
      subtext: 'text?',
      config: 'text',
      // Changes that are not published yet; null where there are none.
      draft: 'text?',
      link_uuid: 'key?',
      qrcode_uuid: 'key?',
      views: 'int',
      version: 'key',
      created_by: 'key?',
      created_at: 'int',
      updated_at: 'int',
      trashed_at: { int: 0 },
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    indexes: [['workspace_uuid', 'trashed_at', 'uuid'], ['link_uuid']],
  })
  await dialect.createTable(db, 'page_slugs', {
    columns: { domain: 'key', slug: 'key', page_uuid: 'key', created_at: 'int' },
    primary: ['domain', 'slug'],
    references: { page_uuid: 'pages.uuid cascade' },
    indexes: [['page_uuid']],
    clustered: true,
  })
}

async function utm(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'utm_links', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      url: 'text',
      source: 'text?',
      medium: 'text?',
      campaign: 'text?',
      content: 'text?',
      term: 'text?',
      utm_url: 'text',
      link_uuid: 'key?',
      warnings: 'text',
      created_by: 'key?',
      created_at: 'int',
      updated_at: 'int',
      trashed_at: { int: 0 },
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    indexes: [['workspace_uuid', 'trashed_at', 'uuid'], ['link_uuid']],
  })
}

/** Public addresses of statistics. */
async function sharedStatistics(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'shared_statistics', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      link_uuid: 'key?',
      page_uuid: 'key?',
      token_hash: 'key',
      token_sealed: 'text',
      expires_at: 'int?',
      created_by: 'key?',
      created_at: 'int',
    },
    primary: ['uuid'],
    unique: [['token_hash']],
    references: {
      workspace_uuid: 'workspaces.uuid cascade',
      link_uuid: 'links.uuid cascade',
      page_uuid: 'pages.uuid cascade',
    },
    indexes: [['workspace_uuid', 'created_at'], ['link_uuid'], ['page_uuid']],
  })
}

/** Removed rows of every resource, until they are restored or deleted for good. */
async function trash(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'trash', {
    columns: { uuid: 'key', workspace_uuid: 'key', type: 'key', label: 'text', trashed_at: 'int' },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    indexes: [['workspace_uuid', 'trashed_at', 'uuid'], ['trashed_at']],
  })
}

async function clicks(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // Single clicks of a workspace and UTC day, many in one row (clicks/batches/packed-batch.ts).
  await dialect.createTable(db, 'click_batches', {
    columns: {
      workspace_uuid: 'key',
      day: 'int',
      // A uuid that is never used again, also not for the same clicks after a merge.
      id: 'key',
      // The day until its batches are merged for the last time, then null.
      open_day: 'int?',
      first_at: 'int',
      clicks: 'int',
      data: 'bytes',
    },
    primary: ['workspace_uuid', 'day', 'id'],
    indexes: [['open_day?'], ['day']],
  })
  // What is left of single clicks after the retention: sums of a workspace and month (clicks/statistics/sums.ts).
  await dialect.createTable(db, 'click_sums', {
    columns: {
      workspace_uuid: 'key',
      month: 'int',
      id: 'key',
      dimension: 'key',
      clicks: 'int',
      data: 'bytes',
    },
    primary: ['workspace_uuid', 'month', 'id', 'dimension'],
  })
  // ClickHouse: the days of a workspace that have clicks there (clicks/clickhouse/sent-periods.ts).
  await dialect.createTable(db, 'sent_periods', {
    columns: { workspace_uuid: 'key', first_day: 'int', last_day: 'int', given_up: 'int' },
    primary: ['workspace_uuid'],
    clustered: true,
  })
  // ClickHouse: days of a month that are summed already, while their rows still exist (clicks/clickhouse/retention.ts).
  await dialect.createTable(db, 'summed_months', {
    columns: { workspace_uuid: 'key', month: 'int', before_day: 'int' },
    primary: ['workspace_uuid', 'month'],
    clustered: true,
  })
  // ClickHouse: how far the rows of a month were fetched back, while they still exist (clicks/clickhouse/fetch.ts).
  await dialect.createTable(db, 'fetched_clicks', {
    columns: { workspace_uuid: 'key', month: 'int', before_at: 'int', clicks: 'int' },
    primary: ['workspace_uuid', 'month'],
    clustered: true,
  })
  // ClickHouse: workspaces whose rows are hidden until they are deleted, once a day.
  await dialect.createTable(db, 'erased_clicks', {
    columns: { workspace_uuid: 'key', deleted_at: 'int?' },
    primary: ['workspace_uuid'],
    clustered: true,
  })
  // Clicks as JSON, or a batch, that could not be stored or read; they stay for as long as single clicks do.
  await dialect.createTable(db, 'set_aside_clicks', {
    columns: {
      workspace_uuid: 'key',
      day: 'int',
      id: 'key',
      clicks: 'int',
      reason: 'text',
      data: 'bytes',
    },
    primary: ['workspace_uuid', 'day', 'id'],
  })
  await dialect.createTable(db, 'spool_positions', {
    columns: { file: 'key', position: 'int', finished_at: 'int?' },
    primary: ['file'],
    clustered: true,
  })
  // Salts are deleted after two days: how many visitors there were stays, who they were does not.
  await dialect.createTable(db, 'visitor_salts', {
    columns: { day: 'int', salt: 'key' },
    primary: ['day'],
    clustered: true,
  })
}

async function webhooks(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'webhooks', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      url: 'text',
      description: 'text?',
      events: 'text?',
      enabled: 'int',
      disabled_reason: 'text?',
      failing_since: 'int?',
      secret_sealed: 'text',
      // A secret that was replaced stays valid for a while.
      previous_secret_sealed: 'text?',
      previous_secret_until: 'int?',
      wants_clicks: 'int?',
      clicks_delivery_uuid: 'key?',
      created_by: 'key?',
      created_at: 'int',
      updated_at: 'int',
      trashed_at: { int: 0 },
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    // Counting reads the second index with every batch.
    indexes: [['workspace_uuid', 'uuid'], ['wants_clicks?']],
  })
  // No foreign key to the webhook: the deliveries of one that is removed are deleted in batches.
  await dialect.createTable(db, 'webhook_deliveries', {
    columns: {
      uuid: 'key',
      webhook_uuid: 'key',
      workspace_uuid: 'key',
      type: 'key',
      body: 'text',
      state: 'key',
      attempts: 'int',
      due_at: 'int?',
      status: 'int?',
      error: 'text?',
      created_at: 'int',
      last_attempt_at: 'int?',
      ended_at: 'int?',
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    // `webhook_uuid` lets the sender skip the backlog of a busy webhook without reading it.
    indexes: [['webhook_uuid', 'uuid'], ['workspace_uuid'], ['due_at', 'uuid', 'webhook_uuid'], ['ended_at']],
  })
  await dialect.createTable(db, 'webhook_clicks', {
    columns: { uuid: 'key', webhook_uuid: 'key', workspace_uuid: 'key', count: 'int', clicks: 'text' },
    primary: ['uuid'],
    indexes: [['webhook_uuid', 'uuid'], ['workspace_uuid']],
  })
}

async function imports(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'imports', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      state: 'key',
      source: 'key',
      unit: 'key',
      filename: 'text',
      on_taken: 'key?',
      domain: 'key?',
      file_hash: 'key?',
      file_key: 'text?',
      read_bytes: 'int',
      total: 'int',
      importable: 'int',
      unplaced: 'int',
      taken: 'int',
      processed: 'int',
      created: 'int',
      skipped: 'int',
      renamed: 'int',
      columns: 'text',
      first_rows: 'text',
      problems: 'text',
      problem_count: 'int',
      run_problems: 'text',
      run_problem_count: 'int',
      error: 'text?',
      created_by: 'key?',
      credential_kind: 'key?',
      credential_uuid: 'key?',
      turn_at: 'int',
      created_at: 'int',
      updated_at: 'int',
      finished_at: 'int?',
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    indexes: [
      ['workspace_uuid', 'uuid'],
      ['state', 'turn_at'],
    ],
  })
  // No foreign key to the link: removing a link must not have to look for its import.
  await dialect.createTable(db, 'imported_links', {
    columns: { import_uuid: 'key', link_uuid: 'key' },
    primary: ['import_uuid', 'link_uuid'],
    references: { import_uuid: 'imports.uuid cascade' },
    clustered: true,
  })
}

async function bulkEdits(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'bulk_edits', {
    columns: {
      uuid: 'key',
      workspace_uuid: 'key',
      created_by: 'key?',
      credential_kind: 'key?',
      credential_uuid: 'key?',
      state: 'key',
      filter: 'text?',
      change: 'text',
      position: 'key',
      total: 'int',
      processed: 'int',
      changed: 'int',
      skipped: 'int',
      undoable: 'int',
      error: 'text?',
      turn_at: 'int',
      created_at: 'int',
      updated_at: 'int',
      finished_at: 'int?',
    },
    primary: ['uuid'],
    references: { workspace_uuid: 'workspaces.uuid' },
    indexes: [
      ['workspace_uuid', 'uuid'],
      ['state', 'turn_at'],
    ],
  })
  // No foreign key to the link: removing a link must not have to look for its bulk edits.
  await dialect.createTable(db, 'bulk_edited_links', {
    columns: { bulk_edit_uuid: 'key', link_uuid: 'key', done: 'text' },
    primary: ['bulk_edit_uuid', 'link_uuid'],
    references: { bulk_edit_uuid: 'bulk_edits.uuid cascade' },
    clustered: true,
  })
}

async function instance(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'used_signatures', {
    // A keyed hash of the API key and the signature.
    columns: { hash: 'key', expires_at: 'int' },
    primary: ['hash'],
    indexes: [['expires_at']],
    clustered: true,
  })
  await dialect.createTable(db, 'idempotency', {
    columns: {
      workspace_uuid: 'key',
      user_uuid: 'key',
      unsigned: 'int',
      operation: 'key',
      key: 'key',
      digest: 'key',
      // The rights that the fields of the request required, as JSON.
      needs: 'text?',
      state: 'key',
      status: 'int?',
      body: 'text?',
      claimed_at: 'int',
      expires_at: 'int',
    },
    primary: ['workspace_uuid', 'user_uuid', 'unsigned', 'operation', 'key'],
    indexes: [['expires_at']],
  })
  await dialect.createTable(db, 'sequences', {
    columns: { name: 'key', value: 'int' },
    primary: ['name'],
    clustered: true,
  })
  // What operators have blocked: a link or an account by its uuid, a destination by its host.
  await dialect.createTable(db, 'blocks', {
    columns: { subject: 'key', kind: 'key', reason: 'text?', created_at: 'int' },
    primary: ['subject'],
    clustered: true,
  })
  // Keys that must outlive a change of the secret, sealed with the secret.
  await dialect.createTable(db, 'kept_keys', {
    columns: { name: 'key', sealed: 'text' },
    primary: ['name'],
    clustered: true,
  })
  await dialect.createTable(db, 'leases', {
    columns: { name: 'key', holder: 'key', beat: 'int' },
    primary: ['name'],
    clustered: true,
  })
  await dialect.createTable(db, 'job_runs', {
    columns: { name: 'key', started_at: 'int', ended_at: 'int?' },
    primary: ['name'],
    clustered: true,
  })
}

async function blobs(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'blobs', {
    columns: { hash: 'key', bytes: 'int', width: 'int?', height: 'int?', created_at: 'int' },
    primary: ['hash'],
  })
  await dialect.createTable(db, 'blob_refs', {
    columns: { hash: 'key', owner: 'key', workspace_uuid: 'key?', user_uuid: 'key?', created_at: 'int' },
    primary: ['hash', 'owner'],
    references: { hash: 'blobs.hash' },
    indexes: [['owner'], ['workspace_uuid'], ['user_uuid']],
    clustered: true,
  })
}
