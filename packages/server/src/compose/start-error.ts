import { ConfigError } from '../config.ts'
import { AppError, OperatorError } from '../net/errors.ts'
import { SchemaTooNewError, SchemaUnreleasedError } from '../storage/db/migrator.ts'
import { isUnavailable } from '../storage/db/unavailable.ts'

const UNTRUSTED =
  "the database's certificate is not trusted: name its authority with sslrootcert=FILE in DATABASE_URL"

/** pg gives this error no code. */
const WITHOUT_TLS = 'The server does not support SSL connections'

type SystemError = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }

const rejected = ({ message }: SystemError): string =>
  `the database rejects the connection, check DATABASE_URL: ${message}`

const SYSTEM: Record<string, (error: SystemError) => string> = {
  EADDRINUSE: ({ port }) => `port ${port} is in use; set PORT to another one`,
  EACCES: ({ message }) => `not allowed: ${message}`,
  EADDRNOTAVAIL: ({ address }) => `HOST ${address} is not an address of this machine`,
  ECONNREFUSED: () => 'the database cannot be reached, check DATABASE_URL: nothing listens at its address',
  ENOTFOUND: ({ hostname }) => `the host ${hostname} cannot be found: check HOST, DATABASE_URL and REDIS_URL`,
  SELF_SIGNED_CERT_IN_CHAIN: () => UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: () => UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ message }) => `the database's certificate is not for its name: ${message}`,
  '28P01': rejected,
  '28000': rejected,
  '3D000': rejected,
  '53300': rejected,
}

/** One line that says what an operator should do; undefined for bugs. */
export function startErrorLine(error: unknown): string | undefined {
  if (
    [ConfigError, SchemaTooNewError, SchemaUnreleasedError, OperatorError].some(
      (kind) => error instanceof kind,
    )
  )
    return (error as Error).message
  if (error instanceof AppError) return describe(error)
  const { code = '', syscall, path, message } = error as SystemError
  if (syscall === 'mkdir') return `a folder cannot be created, check DATA_DIR: ${message}`
  const known = SYSTEM[code]
  if (known !== undefined) return known(error as SystemError)
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code))
    return `the database in DATA_DIR is damaged (${message}): restore a backup with waymark restore FILE`
  // The message names the operation and the file.
  if (syscall !== undefined && path !== undefined) return message
  if (!isUnavailable(error) && message !== WITHOUT_TLS) return undefined
  const place = code.startsWith('SQLITE_') ? 'DATA_DIR' : 'DATABASE_URL'
  return `the database cannot be used, check ${place}: ${message}`
}

const describe = ({ message, errors }: AppError): string => {
  const fields = Object.entries(errors ?? {}).map(([field, texts]) => `${field}: ${texts.join(', ')}`)
  return fields.length === 0 ? message : fields.join('; ')
}
