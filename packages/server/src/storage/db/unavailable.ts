/** A back end (database, file store) is temporarily unavailable; the same request may succeed later. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

/** Codes of sockets: the server is unavailable. Codes of files: the disk is full, or out of descriptors. */
const systemFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
])

/** PostgreSQL error codes that mean "not now" rather than "your statement is wrong". */
const rejectedStates = new Set([
  '25006', // read-only transaction: the primary moved during a failover
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '40001', // serialization failure, after our own retries
  '40P01', // deadlock, after our own retries
  '55P03', // lock_timeout
  '57014', // statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
])

const sqliteFailures = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|NOMEM)(_|$)/

// Neither pg nor the query builder give these failures a code.
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Postgres connection has been discarded|Cannot use a pool after calling end|driver has already been destroyed|The database connection is not open)/

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Whether an error means that the database is unavailable, full or overloaded, on either engine. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof UnavailableError) return true
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (systemFailures.has(code)) return true
  // A server with a unix socket whose file no longer exists.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true
  if (/^(08|53)[0-9A-Z]{3}$/.test(code) || rejectedStates.has(code)) return true
  return sqliteFailures.test(code) || driverMessages.test(error.message)
}

/** Whether another process holds SQLite's write lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /^SQLITE_(BUSY|LOCKED)(_|$)/.test(codeOf(error))
}

/** Whether PostgreSQL aborted one of two conflicting transactions, which should be retried. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && ['40001', '40P01'].includes(codeOf(error))
}

/** Whether PostgreSQL gave up waiting for a lock after `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '55P03'
}
