import { readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parsePlans, type Plans } from './accounts/users/plans.ts'

/** Everything the environment decides, read and validated once at start. */
export interface Config {
  /** Unset: every address, of both families where there are two. */
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
  /** Opens what was sealed before the secret was changed. */
  readonly secretKeyPrevious: string | undefined
  readonly workers: number
  readonly logLevel: string
  /** Which requests are logged. */
  readonly logRequests: 'off' | 'errors' | 'all'
  readonly logAddresses: boolean
  readonly rateLimits: { readonly read: number; readonly write: number; readonly session: number }
  /** Proxies between visitor and server, counted from the server; or the proxies' addresses. */
  readonly trustProxy: number | string
  /** Open connections of one address. */
  readonly connectionsPerAddress: number
  readonly corsOrigins: readonly string[]
  readonly signup: 'open' | 'closed'
  readonly smtpUrl: string | undefined
  readonly seller: { readonly name: string; readonly address: string | null; readonly taxId: string | null }
  readonly plans: Plans
  readonly clickRetentionDays: number
  /** Whether a redirect waits until its click is on the disk itself. */
  readonly clickFsync: boolean
  /** Whether webhooks may reach this machine and its networks. */
  readonly webhookAllowPrivate: boolean
  readonly metricsToken: string | undefined
  /** Lets a proxy ask about domains from a public address. */
  readonly askToken: string | undefined
  /** Whom visitors and owners write to about abuse: an email address. */
  readonly abuseContact: string | undefined
  /** Hosts that no link may lead to. */
  readonly blocklistFile: string | undefined
  /** A URI for security.txt. */
  readonly securityContact: string | undefined
}

/** A value that the start cannot go on with; its message is the one line that is printed. */
export class ConfigError extends Error {
  constructor(name: string, rule: string) {
    super(`${name} ${rule}`)
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads a variable or the file that NAME_FILE names; blank counts as unset. */
const reader =
  (environment: Environment) =>
  (name: string): string | undefined => {
    const file = environment[`${name}_FILE`]
    if (file !== undefined && file !== '') {
      try {
        return readFileSync(file, 'utf8').trim() || undefined
      } catch {
        throw new ConfigError(`${name}_FILE`, `names a file that cannot be read: ${file}`)
      }
    }
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }

const whole = (
  name: string,
  value: string | undefined,
  fallback: number,
  min: number,
  max: number,
  orElse = '',
): number => {
  if (value === undefined) return fallback
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new ConfigError(name, `must be a whole number from ${min} to ${max}${orElse}, not "${value}"`)
  return number
}

/** `auto`: one process per core that this process may use. */
const workersOf = (value: string | undefined): number =>
  value?.toLowerCase() === 'auto' ? availableParallelism() : whole('WORKERS', value, 1, 1, 256, ' or auto')

const oneOf = <T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
  fallback: T,
): T => {
  if (value === undefined) return fallback
  const found = allowed.find((item) => item === value.toLowerCase())
  if (found === undefined) throw new ConfigError(name, `must be one of ${allowed.join(', ')}, not "${value}"`)
  return found
}

const url = (name: string, value: string | undefined, protocols: readonly string[]): string | undefined => {
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  // The value may hold a password, so it is not repeated.
  if (parsed === null || !protocols.includes(parsed.protocol))
    throw new ConfigError(
      name,
      `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    )
  return value
}

const baseUrlOf = (value: string | undefined, port: number): string => {
  const given = url('BASE_URL', value, ['http:', 'https:']) ?? `http://localhost:${port}`
  const { origin, pathname, search, hash } = new URL(given)
  if (pathname !== '/' || search !== '' || hash !== '')
    throw new ConfigError('BASE_URL', 'must be an origin such as https://go.example.com, without a path')
  return origin
}

const originsOf = (value: string | undefined): string[] =>
  (value ?? '')
    .split(/[\s,]+/)
    .filter((item) => item !== '')
    .map((item) => {
      const parsed = URL.parse(item)
      if (
        parsed === null ||
        parsed.origin === 'null' ||
        parsed.origin !== item.replace(/\/$/, '').toLowerCase()
      )
        throw new ConfigError(
          'CORS_ORIGINS',
          `must be origins such as https://app.example.com, not "${item}"`,
        )
      return parsed.origin
    })

const OFF = /^(off|false|0|no)$/i
const ON = /^(on|true|1|yes)$/i

const switchOf = (name: string, value: string | undefined): boolean => {
  if (value === undefined || OFF.test(value)) return false
  if (ON.test(value)) return true
  throw new ConfigError(name, `must be on or off, not "${value}"`)
}

const trustProxyOf = (value: string | undefined): number | string => {
  if (value === undefined || OFF.test(value)) return 0
  if (ON.test(value)) return 1
  if (/^\d{1,2}$/.test(value)) return Number(value)
  if (/^[\da-f.:/,\s]+$/i.test(value) || /^(loopback|linklocal|uniquelocal)(\s*,|$)/.test(value)) return value
  throw new ConfigError(
    'TRUST_PROXY',
    `must be on, off, a number of proxies or the proxies' addresses, not "${value}"`,
  )
}

const EMAIL = /^[^\s@]+@[^\s@]+$/

/** An email address, or a URI that says how to reach somebody. */
const contactOf = (name: string, value: string | undefined): string | undefined => {
  if (value === undefined) return undefined
  if (EMAIL.test(value) && !value.includes(':')) return `mailto:${value}`
  if (/^(mailto:|https:\/\/|tel:)\S+$/.test(value)) return value
  throw new ConfigError(name, 'must be an email address, or a URI that begins with mailto:, https:// or tel:')
}

const emailOf = (name: string, value: string | undefined): string | undefined => {
  const address = value?.replace(/^mailto:/, '')
  if (address === undefined || EMAIL.test(address)) return address
  throw new ConfigError(name, 'must be an email address')
}

/** What may hold a secret, so that a sample value in it would let strangers in. */
const SECRETS = [
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'ASK_TOKEN',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'S3_URL',
  'SMTP_URL',
] as const

const refuseSample = (name: string, value: string | undefined): void => {
  if (value !== undefined && /change-me/i.test(value))
    throw new ConfigError(name, 'is still the sample CHANGE-ME; make a secret with: openssl rand -hex 32')
}

const secretOf = (name: string, value: string | undefined): string | undefined => {
  if (value !== undefined && value.length < 16) throw new ConfigError(name, 'must be at least 16 characters')
  return value
}

const dataDirOf = (value: string | undefined): string => {
  const path = resolve(value ?? './data')
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory())
    throw new ConfigError('DATA_DIR', `must be a folder, and ${path} is a file`)
  return path
}

/** In one line: a failed schema lists every issue in a text of many lines. */
const planFault = (error: unknown): string => {
  const { issues, message } = error as Error & { issues?: { path: PropertyKey[]; message: string }[] }
  if (issues === undefined) return message
  return issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('; ')
}

const plansOf = (path: string | undefined): Plans => {
  if (path === undefined) return parsePlans(undefined)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError('PLANS_FILE', `names a file that cannot be read: ${path}`)
  }
  try {
    return parsePlans(JSON.parse(text))
  } catch (error) {
    throw new ConfigError('PLANS_FILE', `is not a list of plans: ${planFault(error)}`)
  }
}

/** Reads the environment, or throws a ConfigError that names the variable and what it takes. */
export function readConfig(environment: Environment): Config {
  const read = reader(environment)
  const port = whole('PORT', read('PORT'), 3000, 0, 65_535)
  const databaseUrl = url('DATABASE_URL', read('DATABASE_URL'), ['postgres:', 'postgresql:'])
  for (const name of SECRETS) refuseSample(name, read(name))
  const secretKey = secretOf('SECRET_KEY', read('SECRET_KEY'))
  if (databaseUrl !== undefined && secretKey === undefined)
    throw new ConfigError('SECRET_KEY', 'must be set when DATABASE_URL is: every node needs the same one')
  const limit = (name: string, fallback: number): number =>
    whole(name, read(name), fallback, 1, 1_000_000_000)
  return {
    host: read('HOST'),
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
    redisUrl: url('REDIS_URL', read('REDIS_URL'), ['redis:', 'rediss:']),
    s3Url: url('S3_URL', read('S3_URL'), ['http:', 'https:', 's3:']),
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
    smtpUrl: url('SMTP_URL', read('SMTP_URL'), ['smtp:', 'smtps:']),
    seller: {
      name: read('SELLER_NAME') ?? 'Waymark',
      address: read('SELLER_ADDRESS') ?? null,
      taxId: read('SELLER_TAX_ID') ?? null,
    },
    plans: plansOf(read('PLANS_FILE')),
    clickRetentionDays: whole('CLICK_RETENTION_DAYS', read('CLICK_RETENTION_DAYS'), 365, 1, 36_500),
    clickFsync: switchOf('CLICK_FSYNC', read('CLICK_FSYNC')),
    webhookAllowPrivate: switchOf('WEBHOOK_ALLOW_PRIVATE', read('WEBHOOK_ALLOW_PRIVATE')),
    metricsToken: read('METRICS_TOKEN'),
    askToken: read('ASK_TOKEN'),
    abuseContact: emailOf('ABUSE_CONTACT', read('ABUSE_CONTACT')),
    blocklistFile: read('BLOCKLIST_FILE'),
    securityContact: contactOf('SECURITY_CONTACT', read('SECURITY_CONTACT')),
  }
}
