import type { Plans } from './accounts/users/plans.ts'
import {
  backupsOf,
  baseUrlOf,
  clicksUrlOf,
  ConfigError,
  contactOf,
  cronOf,
  dataDirOf,
  emailOf,
  type Environment,
  hostOf,
  oidcOf,
  type OidcConfig,
  oneOf,
  originsOf,
  plansOf,
  reader,
  redisUrlOf,
  rejectSample,
  s3UrlOf,
  secretOf,
  SECRETS,
  switchOf,
  trustProxyOf,
  url,
  whole,
  workersOf,
} from './config-values.ts'

export { ConfigError }

/** The configuration, read from the environment and validated once at start. */
export interface Config {
  /** Unset: every address, on both IPv4 and IPv6. */
  readonly host: string | undefined
  readonly port: number
  /** Public address without a trailing slash. */
  readonly baseUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databaseReadUrl: string | undefined
  readonly databasePoolSize: number
  readonly databaseConnectTimeoutMs: number
  readonly databaseStatementTimeoutMs: number
  readonly redisUrl: string | undefined
  readonly s3Url: string | undefined
  readonly secretKey: string | undefined
  /** Opens data that was sealed before the secret was changed. */
  readonly secretKeyPrevious: string | undefined
  readonly workers: number
  readonly logLevel: string
  /** Which requests are logged. */
  readonly logRequests: 'off' | 'errors' | 'all'
  readonly logAddresses: boolean
  readonly rateLimits: { readonly read: number; readonly write: number; readonly session: number }
  /** Proxies between visitor and server, counted from the server; or the proxies' addresses. */
  readonly trustProxy: number | string
  /** Maximum number of open connections per address. */
  readonly connectionsPerAddress: number
  readonly corsOrigins: readonly string[]
  readonly signup: 'open' | 'closed'
  /** The OpenID provider that users can sign in with. */
  readonly oidc: OidcConfig | undefined
  /** Whether users can sign in and up with a password. */
  readonly passwordSignIn: boolean
  readonly smtpUrl: string | undefined
  readonly seller: { readonly name: string; readonly address: string | null; readonly taxId: string | null }
  readonly plans: Plans
  readonly clickRetentionDays: number
  readonly auditRetentionDays: number
  /** Whether entries of the audit log are logged as well. */
  readonly logAudit: boolean
  /** ClickHouse; undefined: single clicks stay in the database. */
  readonly clicksUrl: string | undefined
  /** Whether a redirect waits until its click is flushed to disk. */
  readonly clickFsync: boolean
  /** Whether webhooks may reach this machine and its networks. */
  readonly webhookAllowPrivate: boolean
  readonly metricsToken: string | undefined
  /** Allows a proxy to ask about domains from a public address. */
  readonly askToken: string | undefined
  /** Where visitors and owners report abuse: an email address. */
  readonly abuseContact: string | undefined
  /** Hosts that links may not lead to. */
  readonly blocklistFile: string | undefined
  /** A URI for security.txt. */
  readonly securityContact: string | undefined
  /** Where and when (UTC) backups are made, and how many are kept; undefined: no scheduled backups. */
  readonly backups: { readonly target: string; readonly cron: string; readonly keep: number } | undefined
}

/** Reads the environment, or throws a ConfigError that names the variable and its valid values. */
export function readConfig(environment: Environment): Config {
  const read = reader(environment)
  const port = whole('PORT', read('PORT'), 3000, 0, 65_535)
  const databaseUrl = url('DATABASE_URL', read('DATABASE_URL'), ['postgres:', 'postgresql:'])
  for (const name of SECRETS) rejectSample(name, read(name))
  const secretKey = secretOf('SECRET_KEY', read('SECRET_KEY'))
  if (databaseUrl !== undefined && secretKey === undefined)
    throw new ConfigError('SECRET_KEY', 'must be set when DATABASE_URL is: every node needs the same one')
  const limit = (name: string, fallback: number): number =>
    whole(name, read(name), fallback, 1, 1_000_000_000)
  return {
    host: hostOf(read('HOST')),
    port,
    baseUrl: baseUrlOf(read('BASE_URL'), port),
    dataDir: dataDirOf(read('DATA_DIR')),
    databaseUrl,
    databaseReadUrl: url('DATABASE_READ_URL', read('DATABASE_READ_URL'), ['postgres:', 'postgresql:']),
    databasePoolSize: whole('DATABASE_POOL_SIZE', read('DATABASE_POOL_SIZE'), 10, 1, 1000),
    databaseConnectTimeoutMs: whole(
      'DATABASE_CONNECT_TIMEOUT_MS',
      read('DATABASE_CONNECT_TIMEOUT_MS'),
      3000,
      100,
      60_000,
    ),
    databaseStatementTimeoutMs: whole(
      'DATABASE_STATEMENT_TIMEOUT_MS',
      read('DATABASE_STATEMENT_TIMEOUT_MS'),
      15_000,
      100,
      600_000,
    ),
    redisUrl: redisUrlOf(read('REDIS_URL')),
    s3Url: s3UrlOf(read('S3_URL')),
    secretKey,
    secretKeyPrevious: secretOf('SECRET_KEY_PREVIOUS', read('SECRET_KEY_PREVIOUS')),
    workers: workersOf(read('WORKERS')),
    logLevel: oneOf(
      'LOG_LEVEL',
      read('LOG_LEVEL'),
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
    ),
    logRequests: oneOf('LOG_REQUESTS', read('LOG_REQUESTS'), ['off', 'errors', 'all'], 'off'),
    logAddresses: switchOf('LOG_ADDRESSES', read('LOG_ADDRESSES')),
    rateLimits: {
      read: limit('RATE_LIMIT_READ', 60),
      write: limit('RATE_LIMIT_WRITE', 600),
      session: limit('RATE_LIMIT_SESSION', 600),
    },
    trustProxy: trustProxyOf(read('TRUST_PROXY')),
    connectionsPerAddress: whole(
      'CONNECTIONS_PER_ADDRESS',
      read('CONNECTIONS_PER_ADDRESS'),
      256,
      1,
      1_000_000,
    ),
    corsOrigins: originsOf(read('CORS_ORIGINS')),
    signup: oneOf('SIGNUP', read('SIGNUP'), ['open', 'closed'], 'open'),
    oidc: oidcOf({
      issuer: read('OIDC_ISSUER'),
      clientId: read('OIDC_CLIENT_ID'),
      clientSecret: read('OIDC_CLIENT_SECRET'),
      name: read('OIDC_NAME'),
      signup: read('OIDC_SIGNUP'),
      domains: read('OIDC_DOMAINS'),
      join: read('OIDC_JOIN'),
    }),
    passwordSignIn: switchOf('PASSWORD_SIGN_IN', read('PASSWORD_SIGN_IN'), true),
    smtpUrl: url('SMTP_URL', read('SMTP_URL'), ['smtp:', 'smtps:']),
    seller: {
      name: read('SELLER_NAME') ?? 'Waymark',
      address: read('SELLER_ADDRESS') ?? null,
      taxId: read('SELLER_TAX_ID') ?? null,
    },
    plans: plansOf(read('PLANS_FILE')),
    clickRetentionDays: whole('CLICK_RETENTION_DAYS', read('CLICK_RETENTION_DAYS'), 365, 1, 36_500),
    auditRetentionDays: whole('AUDIT_RETENTION_DAYS', read('AUDIT_RETENTION_DAYS'), 365, 1, 36_500),
    logAudit: switchOf('LOG_AUDIT', read('LOG_AUDIT')),
    clicksUrl: clicksUrlOf(read('CLICKS_URL')),
    clickFsync: switchOf('CLICK_FSYNC', read('CLICK_FSYNC')),
    webhookAllowPrivate: switchOf('WEBHOOK_ALLOW_PRIVATE', read('WEBHOOK_ALLOW_PRIVATE')),
    metricsToken: read('METRICS_TOKEN'),
    askToken: read('ASK_TOKEN'),
    abuseContact: emailOf('ABUSE_CONTACT', read('ABUSE_CONTACT')),
    blocklistFile: read('BLOCKLIST_FILE'),
    securityContact: contactOf('SECURITY_CONTACT', read('SECURITY_CONTACT')),
    backups: backupsOf(read('BACKUP_TO'), {
      cron: cronOf('BACKUP_CRON', read('BACKUP_CRON'), '20 3 * * *'),
      keep: whole('BACKUP_KEEP', read('BACKUP_KEEP'), 14, 1, 10_000),
    }),
  }
}
