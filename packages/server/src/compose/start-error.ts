import { ConfigError } from '../config.ts'
import { AppError, OperatorError } from '../net/errors.ts'
import { SchemaTooNewError, SchemaUnreleasedError } from '../storage/db/migrator.ts'

const UNTRUSTED =
  "the database's certificate is not trusted: name its authority with sslrootcert=FILE in DATABASE_URL"

type SystemError = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }

const SYSTEM: Record<string, (error: SystemError) => string> = {
  EADDRINUSE: ({ port }) => `port ${port} is in use; set PORT to another one`,
  EACCES: ({ message }) => `not allowed: ${message}`,
  EADDRNOTAVAIL: ({ address }) => `HOST ${address} is not an address of this machine`,
  ECONNREFUSED: () => 'the database cannot be reached: nothing listens at its address',
  ENOTFOUND: ({ hostname }) => `the host ${hostname} cannot be found: check HOST, DATABASE_URL and REDIS_URL`,
  SELF_SIGNED_CERT_IN_CHAIN: () => UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: () => UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ message }) => `the database's certificate is not for its name: ${message}`,
  '28P01': ({ message }) => `the database rejects the connection: ${message}`,
  '28000': ({ message }) => `the database rejects the connection: ${message}`,
  '3D000': ({ message }) => `the database rejects the connection: ${message}`,
  '53300': ({ message }) => `the database rejects the connection: ${message}`,
}

/** The one line that tells an operator what to do, or undefined for a fault of ours. */
export function startErrorLine(error: unknown): string | undefined {
  if (
    [ConfigError, SchemaTooNewError, SchemaUnreleasedError, OperatorError].some(
      (kind) => error instanceof kind,
    )
  )
    return (error as Error).message
  if (error instanceof AppError) return describe(error)
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (syscall === 'mkdir') return `a folder cannot be created, check DATA_DIR: ${message}`
  return code === undefined ? undefined : SYSTEM[code]?.(error as NodeJS.ErrnoException)
}

const describe = ({ message, errors }: AppError): string => {
  const fields = Object.entries(errors ?? {}).map(([field, texts]) => `${field}: ${texts.join(', ')}`)
  return fields.length === 0 ? message : fields.join('; ')
}
