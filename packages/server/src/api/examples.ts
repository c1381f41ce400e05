import { readFileSync } from 'node:fs'
import type { OperationName } from '@waymark/contract'

/** A recorded call and its response. */
export interface OperationExample {
  readonly query?: Readonly<Record<string, unknown>>
  /** The body as JSON; a file is represented by its name. */
  readonly body?: Readonly<Record<string, unknown>>
  /** The fields of `body` that are files. */
  readonly files?: readonly string[]
  readonly status: number
  /** The response: parsed if it is JSON, text if it is CSV, the first event if it is a stream, absent if it is an archive. */
  readonly response?: unknown
  /** Responses to rejected calls, by status. */
  readonly errors?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export type Examples = Readonly<Partial<Record<OperationName, OperationExample>>>

/** A recorded call of each operation. `npm run generate:examples` records them against a running server. */
export const readExamples = (): Examples =>
  JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as Examples
