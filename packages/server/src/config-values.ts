import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname, isAbsolute, resolve } from 'node:path'
import proxyAddress from '@fastify/proxy-addr'
import { type Role, roles } from '@waymark/contract'
import { Cron } from 'croner'
import { parsePlans, type Plans } from './accounts/users/plans.ts'

/* How values of variables are read and checked. config.ts lists the variables. */

/** An invalid value that stops the start; its message is the one line that is printed. */
export class ConfigError extends Error {
  constructor(name: string, rule: string) {
    // It may quote a value, and a file can have many lines.
    super(`${name} ${rule}`.replaceAll(/\s+/g, ' '))
    this.name = 'ConfigError'
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a variable, or the file in NAME_FILE; blank counts as unset. */
export const reader =
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

export const whole = (
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
export const workersOf = (value: string | undefined): number =>
  value?.toLowerCase() === 'auto' ? availableParallelism() : whole('WORKERS', value, 1, 1, 256, ' or auto')

export const oneOf = <T extends string>(
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

export const url = (
  name: string,
  value: string | undefined,
  protocols: readonly string[],
): string | undefined => {
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  // PostgreSQL without a host is reached through a socket.
  const mayOmitHost = protocols.includes('postgres:')
  // The value may contain a password, so it is not repeated.
  if (
    parsed === null ||
    !protocols.includes(parsed.protocol) ||
    !/^[^:]+:\/\//.test(value) ||
    (parsed.host === '' && !mayOmitHost)
  )
    throw new ConfigError(
      name,
      `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}${mayOmitHost ? '' : ', followed by a host'}`,
    )
  // The PostgreSQL driver accepts a plain %.
  if (!mayOmitHost && ![parsed.username, parsed.password, parsed.pathname].every(canBeDecoded))
    throw new ConfigError(name, 'contains a % that is not part of a code such as %40; write %25 instead')
  return value
}

const canBeDecoded = (part: string): boolean => {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

export const baseUrlOf = (value: string | undefined, port: number): string => {
  const given = url('BASE_URL', value, ['http:', 'https:']) ?? `http://localhost:${port}`
  const { origin, pathname, search, hash, username, password } = new URL(given)
  if (pathname !== '/' || [search, hash, username, password].some((part) => part !== ''))
    throw new ConfigError('BASE_URL', 'must be an origin such as https://go.example.com, without a path')
  return origin
}

/** An address or a host name; digits with dots or colons that are not an address are rejected, because no look-up can succeed. */
export const hostOf = (value: string | undefined): string | undefined => {
  if (value === undefined || isIP(value) !== 0) return value
  if (!/^[a-z\d.-]+$/i.test(value) || /^[\d.]+$/.test(value))
    throw new ConfigError(
      'HOST',
      `must be an address such as 127.0.0.1 or ::, or a host name, not "${value}"`,
    )
  return value
}

export const redisUrlOf = (value: string | undefined): string | undefined => {
  const given = url('REDIS_URL', value, ['redis:', 'rediss:'])
  if (given !== undefined && !/^\/?\d*$/.test(new URL(given).pathname))
    throw new ConfigError('REDIS_URL', 'must end with the number of a database, if any: redis://host:6379/0')
  return given
}

const bucketUrlOf = (name: string, value: string | undefined, protocols: readonly string[]) => {
  const given = url(name, value, protocols)
  if (given !== undefined && !/[^/]/.test(new URL(given).pathname))
    throw new ConfigError(name, 'must name a bucket: https://key:secret@host/bucket')
  return given
}

export const s3UrlOf = (value: string | undefined, name = 'S3_URL'): string | undefined =>
  bucketUrlOf(name, value, ['http:', 'https:', 's3:'])

export const clicksUrlOf = (value: string | undefined): string | undefined => {
  const given = url('CLICKS_URL', value, ['http:', 'https:'])
  if (given === undefined) return undefined
  const { pathname, search, hash } = new URL(given)
  if (!/^\/[^/]+$/.test(pathname) || search !== '' || hash !== '')
    throw new ConfigError(
      'CLICKS_URL',
      'must end with the name of a database: http://user:password@host:8123/database',
    )
  return given
}

export const originsOf = (value: string | undefined): string[] =>
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

export const switchOf = (name: string, value: string | undefined, fallback = false): boolean => {
  if (value === undefined) return fallback
  if (OFF.test(value)) return false
  if (ON.test(value)) return true
  throw new ConfigError(name, `must be on or off, not "${value}"`)
}

const areProxies = (value: string): boolean => {
  try {
    proxyAddress.compile(value.split(',').map((item) => item.trim()))
    return true
  } catch {
    return false
  }
}

export const trustProxyOf = (value: string | undefined): number | string => {
  if (value === undefined || OFF.test(value)) return 0
  if (ON.test(value)) return 1
  if (/^\d{1,2}$/.test(value)) return Number(value)
  // 100 and 1.5 are addresses as well, in an unusual notation.
  const isNumeric = /^[\d.]+$/.test(value) && isIP(value) === 0
  if (!isNumeric && areProxies(value)) return value
  throw new ConfigError(
    'TRUST_PROXY',
    `must be on, off, a number of proxies or the proxies' addresses, not "${value}"`,
  )
}

const EMAIL = /^[^\s@]+@[^\s@]+$/

/** An email address, or the URI of a contact page. */
export const contactOf = (name: string, value: string | undefined): string | undefined => {
  if (value === undefined) return undefined
  if (EMAIL.test(value) && !value.includes(':')) return `mailto:${value}`
  if (/^(mailto:|https:\/\/|tel:)\S+$/.test(value)) return value
  throw new ConfigError(name, 'must be an email address, or a URI that begins with mailto:, https:// or tel:')
}

export const emailOf = (name: string, value: string | undefined): string | undefined => {
  const address = value?.replace(/^mailto:/, '')
  // With a colon it is the URL of a page.
  if (address === undefined || (EMAIL.test(address) && !address.includes(':'))) return address
  throw new ConfigError(name, 'must be an email address')
}

/** Variables that may contain a secret, where a sample value would let strangers in. */
export const SECRETS = [
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'BACKUP_TO',
  'METRICS_TOKEN',
  'ASK_TOKEN',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'S3_URL',
  'SMTP_URL',
  'CLICKS_URL',
  'OIDC_CLIENT_SECRET',
] as const

export const rejectSample = (name: string, value: string | undefined): void => {
  if (value !== undefined && /change-me/i.test(value))
    throw new ConfigError(name, 'is still the sample CHANGE-ME; generate a secret with: openssl rand -hex 32')
}

export const secretOf = (name: string, value: string | undefined): string | undefined => {
  if (value !== undefined && value.length < 16) throw new ConfigError(name, 'must be at least 16 characters')
  return value
}

/** An OpenID provider that users can sign in with. */
export interface OidcConfig {
  /** In the provider's exact spelling. */
  readonly issuer: string
  readonly clientId: string
  /** Undefined: a public client, protected only by PKCE. */
  readonly clientSecret: string | undefined
  /** Shown on the button of the sign-in page. */
  readonly name: string
  /** Verified addresses of these domains become new users; undefined: none do. */
  readonly signupDomains: readonly string[] | undefined
  /** The workspaces that new users join. */
  readonly join: { readonly role: Role; readonly workspaceUuid: string } | undefined
}

const issuerOf = (value: string): string => {
  const parsed = URL.parse(value)
  const isLocal = parsed !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname)
  if (parsed === null || (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && isLocal)))
    throw new ConfigError(
      'OIDC_ISSUER',
      'must be a URL that begins with https:// (http:// only on this machine)',
    )
  if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '' || parsed.password !== '')
    throw new ConfigError('OIDC_ISSUER', 'must be the issuer alone, without a query, fragment or password')
  // The library would read this document without comparing the issuer in it.
  if (parsed.pathname.includes('/.well-known/'))
    throw new ConfigError(
      'OIDC_ISSUER',
      'must be the issuer alone, without /.well-known/openid-configuration',
    )
  return value
}

const domainsOf = (value: string | undefined): string[] => {
  const domains = (value ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((domain) => domain !== '')
  const wrong = domains.find((domain) => !/^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(domain))
  if (wrong !== undefined)
    throw new ConfigError('OIDC_DOMAINS', `must be domains such as example.com, not "${wrong}"`)
  return domains
}

const joinOf = (value: string | undefined): OidcConfig['join'] => {
  if (value === undefined) return undefined
  const [name, workspaceUuid = ''] = value.toLowerCase().split('@', 2)
  const role = roles.find((each) => each === name)
  if (role === undefined || !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(workspaceUuid))
    throw new ConfigError(
      'OIDC_JOIN',
      `must be role@workspace: ${roles.join(', ')}, and the uuid of a workspace`,
    )
  return { role, workspaceUuid }
}

type OidcVariable = 'issuer' | 'clientId' | 'clientSecret' | 'name' | 'signup' | 'domains' | 'join'

export const oidcOf = (values: Record<OidcVariable, string | undefined>): OidcConfig | undefined => {
  const { issuer, clientId, clientSecret, name = 'single sign-on' } = values
  const mayCreate = switchOf('OIDC_SIGNUP', values.signup)
  const domains = domainsOf(values.domains)
  const join = joinOf(values.join)
  if (issuer === undefined) {
    if (clientId !== undefined) throw new ConfigError('OIDC_ISSUER', 'must be set when OIDC_CLIENT_ID is')
    return undefined
  }
  if (clientId === undefined) throw new ConfigError('OIDC_CLIENT_ID', 'must be set when OIDC_ISSUER is')
  if (mayCreate && domains.length === 0)
    throw new ConfigError('OIDC_DOMAINS', 'must name the domains of new users when OIDC_SIGNUP is on')
  return {
    issuer: issuerOf(issuer),
    clientId,
    clientSecret,
    name,
    signupDomains: mayCreate ? domains : undefined,
    join,
  }
}

const foldersAbove = (path: string): string[] => {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...foldersAbove(parent)]
}

/** Below a file nothing is found either: the file itself is the problem. */
const isNoFolder = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false
  } catch {
    return false
  }
}

export const dataDirOf = (value: string | undefined): string => {
  const path = resolve(value ?? './data')
  const file = [path, ...foldersAbove(path)].find(isNoFolder)
  if (file !== undefined) throw new ConfigError('DATA_DIR', `must be a folder, and ${file} is a file`)
  return path
}

/** A schedule in five fields: minute, hour, day, month, weekday. */
export const cronOf = (name: string, value: string | undefined, fallback: string): string => {
  if (value === undefined) return fallback
  try {
    if (value.split(/\s+/).length === 5 && new Cron(value, { paused: true }).nextRun() !== null) return value
  } catch {
    // Not a schedule: rejected below.
  }
  throw new ConfigError(name, `must be a schedule of five fields such as "20 3 * * *", not "${value}"`)
}

export const backupsOf = (
  value: string | undefined,
  schedule: { cron: string; keep: number },
): { target: string; cron: string; keep: number } | undefined => {
  if (value === undefined) return undefined
  const isBucket =
    /^https?:/i.test(value) && bucketUrlOf('BACKUP_TO', value, ['http:', 'https:']) !== undefined
  if (!isBucket && !isAbsolute(value))
    throw new ConfigError('BACKUP_TO', 'must be an absolute path, or https://key:secret@host/bucket')
  return { target: value, ...schedule }
}

/** One line: an error of a failed schema lists every issue in many lines. */
const planFault = (error: unknown): string => {
  const { issues, message } = error as Error & { issues?: { path: PropertyKey[]; message: string }[] }
  if (issues === undefined) return message
  return issues
    .map(({ path, message: text }) => (path.length === 0 ? text : `${path.map(String).join('.')}: ${text}`))
    .join('; ')
}

export const plansOf = (path: string | undefined): Plans => {
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
