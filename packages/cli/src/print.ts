import { WaymarkError } from '@waymark/sdk'
import { errorLine, FailedCommand, line, type Output, table, UsageError } from './terminal/index.ts'

const FAILED = 1
const WRONG_USAGE = 2

/** The output of a command, for people and for programs. */
export interface Printed {
  readonly text: string
  readonly json: unknown
  /** The work has ended with a failure. */
  readonly hasFailed?: boolean
}

/** Runs the work and prints its result, or on stderr why it failed. */
export async function print(output: Output, work: () => Promise<Printed>): Promise<void> {
  try {
    const { text, json, hasFailed = false } = await work()
    // A command that has printed its output already has nothing to add.
    const isText = output.json !== true || json === undefined
    process.stdout.write(isText ? withLineEnd(text) : `${JSON.stringify(json)}\n`)
    if (hasFailed) process.exitCode = FAILED
  } catch (error) {
    process.stderr.write(errorText(error, output.json === true))
    process.exitCode = error instanceof UsageError ? WRONG_USAGE : FAILED
  }
}

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** An error as one line, or as one JSON object; includes the invalid fields. */
export function errorText(error: unknown, isJson: boolean): string {
  if (!(error instanceof WaymarkError)) return errorLine(isJson, reasonOf(error))
  const { message, errors, status, requestId } = error
  if (isJson) {
    const hasFields = Object.keys(errors).length > 0
    const told = { error: message, ...(hasFields && { errors }), ...(status > 0 && { status }) }
    return `${JSON.stringify(told)}\n`
  }
  const fields = Object.entries(errors).flatMap(([field, texts]) =>
    texts.map((text) => line`  ${field}: ${text}\n`),
  )
  const request = status >= 500 && requestId !== undefined ? ` (request ${requestId})` : ''
  const cause = error.cause instanceof Error ? ` (${innermost(error.cause).message})` : ''
  return errorLine(false, `${message}${request}${cause}`) + fields.join('')
}

/** The innermost cause: the reason of `fetch failed` is in its cause. */
const innermost = (error: Error): Error => (error.cause instanceof Error ? innermost(error.cause) : error)

const reasonOf = (error: unknown): string => {
  if (error instanceof FailedCommand || !(error instanceof Error))
    return error instanceof Error ? error.message : String(error)
  return `${error.name}: ${error.message}`
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'string'
      ? value
      : // A number, a list or an object.
        JSON.stringify(value)

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)

/** One resource, a field per line; what is empty is left out. */
export const card = (resource: object): string =>
  table(
    Object.entries(resource)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [name, cellOf(value)]),
  )

/** Some fields of many resources. */
export const rowsOf = (items: readonly object[], columns: readonly string[]): string =>
  items.length === 0
    ? 'None.'
    : table([
        columns,
        ...items.map((item) => columns.map((name) => cellOf((item as Record<string, unknown>)[name]))),
      ])
