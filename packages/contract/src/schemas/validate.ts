import type { z } from 'zod'

/** Errors by field; nested fields are named with dots (`buttons.0.label`). */
export type FieldErrors = Record<string, string[]>

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

const typeNames: Record<string, string> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
}

const listOf = (values: readonly unknown[]): string => values.map(String).join(', ')

/** Converts zod's issues to sentences for people who fill in a form. */
export const sentence = (issue: RawIssue): string | undefined => {
  const isMissing = issue.input === undefined || issue.input === null
  if (isMissing && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return 'This field is required'
  if (issue.code === 'invalid_type') return typeNames[issue.expected] ?? `Must be of type ${issue.expected}`
  if (issue.code === 'invalid_value') return `Must be one of: ${listOf(issue.values)}`
  if (issue.code === 'too_small' && issue.origin === 'array')
    return `Must have at least ${issue.minimum} ${issue.minimum === 1 ? 'item' : 'items'}`
  if (issue.code === 'too_big' && issue.origin === 'array') return `Must have at most ${issue.maximum} items`
  return undefined
}

/** Field errors of a list of zod issues. */
export const fieldErrors = (issues: readonly z.core.$ZodIssue[]): FieldErrors => {
  const errors: FieldErrors = Object.create(null) as FieldErrors
  for (const issue of issues) {
    const field = issue.path.map(String).join('.') || 'body'
    const sentences = (errors[field] ??= [])
    if (!sentences.includes(issue.message)) sentences.push(issue.message)
  }
  return errors
}

/** Validates a value with a schema and reports every invalid field at once. */
export const validate = <T extends z.ZodType>(
  schema: T,
  value: unknown,
): { ok: true; value: z.output<T> } | { ok: false; errors: FieldErrors } => {
  const result = schema.safeParse(value, { error: sentence })
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, errors: fieldErrors(result.error.issues) }
}
