import type { Config } from '../../config.ts'

/** The result of one check. */
export interface Finding {
  readonly name: string
  /** `failed`: the service cannot work like this. `warning`: it works, but not as it should. */
  readonly state: 'ok' | 'warning' | 'failed'
  readonly detail: string
  /** How to fix it; null if there is nothing to fix. */
  readonly fix: string | null
}

export type Check = (config: Config) => Promise<Finding>

export const ok = (name: string, detail: string): Finding => ({ name, state: 'ok', detail, fix: null })

export const warning = (name: string, detail: string, fix: string): Finding => ({
  name,
  state: 'warning',
  detail,
  fix,
})

export const failed = (name: string, detail: string, fix: string): Finding => ({
  name,
  state: 'failed',
  detail,
  fix,
})

/** The first line of an error message. */
export const messageOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return (message || String(code ?? error)).split('\n', 1)[0] ?? ''
}

/** Fails if work takes too long. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no response within ${limitMs / 1000} seconds`)), limitMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
