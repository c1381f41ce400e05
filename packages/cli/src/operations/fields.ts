import type { OperationName } from '@waymark/contract'
import { type Command, Option } from 'commander'
import { UsageError } from '../terminal/index.ts'
import { inputSchemaOf } from './input-schema.ts'

/** A field of an operation on the command line. */
export interface Field {
  readonly name: string
  readonly flag: string
  readonly description: string
  readonly isRequired: boolean
  readonly isNullable: boolean
  readonly isFile: boolean
  /** Whether the file is a text. */
  readonly takesText: boolean
  /** Whether it is a list that can contain files. */
  readonly holdsFiles: boolean
  /** Whether it contains a file at any depth. */
  readonly nestsFiles: boolean
  readonly kinds: ReadonlySet<string>
  readonly choices: readonly string[]
}

interface Rule {
  readonly type?: string
  readonly anyOf?: readonly Rule[]
  readonly items?: Rule
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly 'x-media-type'?: string
  readonly nullable?: boolean
  readonly description?: string
}

const alternativesOf = (rule: Rule): readonly Rule[] => [rule, ...(rule.anyOf ?? []).flatMap(alternativesOf)]

/** A field that is reserved for later. */
const isOnlyNull = ({ enum: values }: Rule): boolean => values?.every((value) => value === null) === true

const isBinary = ({ format }: Rule): boolean => format === 'binary'

/** `max_clicks` and `customLink` become `--max-clicks` and `--custom-link`. */
const flagOf = (name: string): string =>
  name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The fields of an operation, from the contract. */
export function fieldsOf(name: OperationName): readonly Field[] {
  const { properties, required } = inputSchemaOf(name)
  return Object.entries(properties as Record<string, Rule>).flatMap(([field, rule]) => {
    if (isOnlyNull(rule)) return []
    const rules = alternativesOf(rule)
    const choices = rules.flatMap(({ enum: values = [] }) => values).filter((value) => value !== null)
    return {
      name: field,
      flag: flagOf(field),
      description: rule.description ?? '',
      isRequired: required.includes(field),
      isNullable: rules.some(({ nullable }) => nullable === true),
      isFile: rules.some(isBinary),
      takesText: rules.some(({ 'x-media-type': type }) => type?.startsWith('text/') === true),
      holdsFiles: rules.some(({ items }) => items !== undefined && alternativesOf(items).some(isBinary)),
      nestsFiles: JSON.stringify(rule).includes('"format":"binary"'),
      kinds: new Set(rules.flatMap(({ type }) => type ?? [])),
      choices: [...new Set(choices.map(String))],
    }
  })
}

const placeholderOf = ({ isFile, holdsFiles, kinds, choices }: Field): string => {
  if (isFile) return '<path>'
  if (holdsFiles) return '<paths>'
  if (kinds.has('boolean')) return '[true|false]'
  if (choices.length > 0) return `<${choices.join('|')}>`
  if (kinds.has('array') && !kinds.has('string')) return '<list>'
  if (kinds.has('object')) return '<json>'
  return kinds.has('string') ? '<text>' : '<number>'
}

/** Adds an option for every field; the exact name of the field works as well. */
export function addFields(command: Command, fields: readonly Field[], except: readonly string[] = []): void {
  for (const field of fields.filter(({ name }) => !except.includes(name))) {
    const add = (flag: string): Option => {
      const option = new Option(`--${flag} ${placeholderOf(field)}`, field.description)
      option.attributeName = () => field.name
      command.addOption(option)
      return option
    }
    add(field.flag)
    if (field.flag !== field.name) add(field.name).hideHelp()
  }
}

/** Converts the text of an option to a value. `null` clears a field. */
export function valueOf(field: Field, given: unknown): unknown {
  const { kinds, isFile, isNullable, choices } = field
  if (typeof given !== 'string') return given
  if (given === 'null' && isNullable) return null
  if (isFile) return given
  if (kinds.has('boolean') && (given === 'true' || given === 'false')) return given === 'true'
  if ((kinds.has('array') || kinds.has('object')) && /^\s*[[{]/.test(given)) return jsonOf(field, given)
  const chosen = kinds.has('array') ? given.split(',') : [given]
  if (choices.length > 0 && !kinds.has('object') && !chosen.every((choice) => choices.includes(choice)))
    throw new UsageError(`--${field.flag} must be one of ${choices.join(', ')}`)
  if (!kinds.has('string') && (kinds.has('number') || kinds.has('integer'))) return numberOf(field, given)
  // A list of texts can be separated by commas.
  if (kinds.has('array') && !kinds.has('string')) return given.split(',').map((item) => item.trim())
  return given
}

function numberOf({ flag }: Field, given: string): number {
  const value = Number(given)
  if (given.trim() === '' || !Number.isFinite(value)) throw new UsageError(`--${flag} must be a number`)
  return value
}

function jsonOf({ flag }: Field, given: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    throw new UsageError(`--${flag} must be valid JSON`)
  }
}

/** The input of an operation, from the options that were given. */
export const inputOf = (
  fields: readonly Field[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter(({ name }) => options[name] !== undefined)
      .map((field) => [field.name, valueOf(field, options[field.name])]),
  )
