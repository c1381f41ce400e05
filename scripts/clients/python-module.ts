import { operations, type Operation, type OperationName } from '@waymark/contract'
import type { DescribedContract } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'
import { dataOf, isList, referenceOf, resolve } from './json-schemas.ts'
import type { OperationFacts } from './operation-facts.ts'
import { pythonText, pythonType, typedDict } from './python-types.ts'

/* Generates the part of the Python client that depends on the contract: types, and a method for each operation. */

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const pascal = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`

/** The names of the objects that an operation accepts: its query or its body, with all variants. */
const formsOf = (contract: DescribedContract, name: OperationName): string[] => {
  const { body, query } = contract.operations[name]
  if (query !== undefined) return [`${pascal(name)}Query`]
  if (body === undefined) return []
  const forms = (resolve(contract, body)['anyOf'] ?? []) as JsonSchema[]
  return forms.length > 0 ? forms.map(pythonType) : [pythonType(body)]
}

const isOptional = (contract: DescribedContract, form: string, query: JsonSchema | undefined): boolean =>
  (((contract.components[form] ?? query)?.['required'] ?? []) as string[]).length === 0

const responseTypeOf = (contract: DescribedContract, name: OperationName): string => {
  const { response } = contract.operations[name]
  const { returns } = operations[name] as Operation
  if (returns === 'events') return `Generator[${pythonType(response)}, None, None]`
  if (returns !== undefined) return returns === 'csv' ? 'str' : 'bytes'
  const data = dataOf(response)
  if (isList(response)) return `Listing[${pythonType((data['items'] ?? {}) as JsonSchema)}]`
  return Object.keys(data).length === 0 ? 'dict[str, Any]' : `Response[${pythonType(data)}]`
}

const methodOf = (contract: DescribedContract, facts: OperationFacts, name: OperationName): string => {
  const operation: Operation = operations[name]
  const { query, response } = contract.operations[name]
  const forms = formsOf(contract, name)
  const result = responseTypeOf(contract, name)
  const whole = name in facts.edits ? referenceOf(dataOf(response)) : undefined
  const method = snake(name)
  const doc = `        """${operation.summary}. \`${operation.method} ${operation.path}\`"""\n`
  const call = operation.returns === 'events' ? '_listen' : isList(response) ? '_list' : '_call'
  const overloads = forms.flatMap((form) => [
    `    @overload\n    def ${method}(self, body: ${form}${whole === undefined ? '' : ` | ${whole}`}${isOptional(contract, form, query) ? ' | None = None' : ''}, /, *, options: CallOptions | None = None) -> ${result}: ...\n`,
    `    @overload\n    def ${method}(self, *, options: CallOptions | None = None, **fields: Unpack[${form}]) -> ${result}: ...\n`,
  ])
  const given = forms.length === 0 ? '' : ', body: Any = None, /'
  const rest = forms.length === 0 ? '' : ', **fields: Any'
  const passed = forms.length === 0 ? 'None' : '{**(body or {}), **fields}'
  return `${overloads.join('')}    def ${method}(self${given}, *, options: CallOptions | None = None${rest}) -> ${result}:\n${doc}        return self.${call}(${pythonText(name)}, ${passed}, options)\n`
}

const rowOf = (name: OperationName, facts: OperationFacts): string => {
  const { method, path, auth, takes, returns, repeatable }: Operation = operations[name]
  const edit = facts.edits[name]
  const list = (names: readonly string[]): string =>
    `(${names.map((one) => `${pythonText(one)}, `).join('')})`
  return `    ${pythonText(name)}: Operation(${[
    pythonText(method),
    pythonText(path),
    pythonText(auth),
    takes === 'multipart' ? 'True' : 'False',
    returns === undefined ? 'None' : pythonText(returns),
    repeatable === false ? 'False' : 'True',
    edit === undefined ? 'None' : list(edit.readOnly),
    edit === undefined ? '()' : list(edit.files),
  ].join(', ')}),\n`
}

/** The text of `waymark/_operations.py`. */
export const pythonModule = (contract: DescribedContract, facts: OperationFacts): string => {
  // Sessions are for browsers.
  const names = (Object.keys(operations) as OperationName[]).filter(
    (name) => operations[name].auth !== 'session',
  )
  const queries = names.flatMap((name) => {
    const { query } = contract.operations[name]
    const description = `Query of \`${snake(name)}\`.`
    return query === undefined ? [] : [typedDict(`${pascal(name)}Query`, { description, ...query })]
  })
  const types = Object.entries(contract.components)
    .filter(([name]) => name !== 'Error')
    // Variants of other types come after them.
    .sort(([, a], [, b]) => Number(a['anyOf'] !== undefined) - Number(b['anyOf'] !== undefined))
    .map(([name, schema]) => typedDict(name, schema))
  return `# Generated from the contract by \`npm run generate\`; do not edit.
"""Types of the API, and a method for each of its operations."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal, NotRequired, TypedDict, Union, Unpack, overload

from ._calls import Caller
from ._lists import Listing, Response
from ._prepared import CallOptions, Operation
from ._uploads import Upload

${[...types, ...queries].join('\n\n')}

OPERATIONS: dict[str, Operation] = {
${names.map((name) => rowOf(name, facts)).join('')}}


class Operations(Caller):
    """One method for each operation. Fields are keyword arguments, or one dictionary."""

    operations = OPERATIONS

${names.map((name) => methodOf(contract, facts, name)).join('\n')}`
}
