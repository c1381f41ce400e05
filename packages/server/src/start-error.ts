import { ConfigError } from './config.ts'
import { SchemaTooNewError } from './platform/db/migrator.ts'
import { AppError } from './platform/errors.ts'
import { RefusalError } from './platform/refusal.ts'

const SYSTEM: Record<string, (error: NodeJS.ErrnoException & { port?: number; address?: string }) => string> =
  {
    EADDRINUSE: ({ port }) => `port ${port} is in use; set PORT to another one`,
    EACCES: ({ message }) => `not allowed: ${message}`,
    EADDRNOTAVAIL: ({ address }) => `HOST ${address} is no address of this machine`,
    ECONNREFUSED: () => 'the database cannot be reached: nothing listens at its address',
  }

/** The one line that tells an operator what to do, or undefined for a fault of ours. */
export function startErrorLine(error: unknown): string | undefined {
  if ([ConfigError, SchemaTooNewError, RefusalError].some((kind) => error instanceof kind))
    return (error as Error).message
  if (error instanceof AppError) return describe(error)
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? undefined : SYSTEM[code]?.(error as NodeJS.ErrnoException)
}

const describe = ({ message, errors }: AppError): string => {
  const fields = Object.entries(errors ?? {}).map(([field, texts]) => `${field}: ${texts.join(', ')}`)
  return fields.length === 0 ? message : fields.join('; ')
}
