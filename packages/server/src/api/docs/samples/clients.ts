import { literal, type Notation } from './literals.ts'
import type { SampleRequest } from './request.ts'

/* The two languages that have a client of ours, which signs. */

const singleQuoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`

const TYPESCRIPT: Notation = {
  text: singleQuoted,
  nothing: 'null',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  object: ['{ ', ' }'],
  key: (name) => `${/^[A-Za-z_]\w*$/.test(name) ? name : singleQuoted(name)}: `,
  indent: '  ',
}

const PYTHON: Notation = {
  text: (text) => JSON.stringify(text),
  nothing: 'None',
  yes: 'True',
  no: 'False',
  list: ['[', ']'],
  object: ['{', '}'],
  key: (name) => `${JSON.stringify(name)}: `,
  indent: '    ',
}

const argumentOf = (
  { query, body, files }: SampleRequest,
  notation: Notation,
  file: (name: string) => string,
): string => {
  const input = body ?? query
  const special = Object.fromEntries(files.map((field) => [field, file(String(input[field]))]))
  const text = literal(input, notation, 0, special)
  if (Object.keys(input).length === 0) return ''
  // Braces have no space inside where they stand alone in their line.
  return text.replaceAll('{ \n', '{\n').replaceAll(/\n( *) \}/g, '\n$1}')
}

/** A request with the TypeScript SDK. */
export function typescriptSample(request: SampleRequest): string {
  const { name, files, isMany, download } = request
  const call = `waymark.${name}(${argumentOf(request, TYPESCRIPT, (file) => `file('${file}')`)})`
  const use = isMany ? `for await (const each of ${call}) console.log(each)` : `console.log(await ${call})`
  const saved = download === undefined ? use : `await writeFile('${download}', await ${call})`
  return [
    ...(download === undefined ? [] : ["import { writeFile } from 'node:fs/promises'"]),
    `import { createClient${files.length === 0 ? '' : ', file'} } from '@waymark/sdk'`,
    '',
    "const { BASE_URL = '', API_KEY = '', SECRET = '' } = process.env",
    'const waymark = createClient({ baseUrl: BASE_URL, apiKey: API_KEY, secret: SECRET })',
    '',
    saved,
  ].join('\n')
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A request with the Python client. */
export function pythonSample(request: SampleRequest): string {
  const { name, files, operation, isMany, download } = request
  const call = `client.${snake(name)}(${argumentOf(request, PYTHON, (file) => `Path("${file}")`)})`
  const use = isMany ? `for each in ${call}:\n    print(each)` : `print(${call})`
  const write = operation.returns === 'csv' ? 'write_text' : 'write_bytes'
  const needsPath = files.length > 0 || download !== undefined
  return [
    'import os',
    ...(needsPath ? ['from pathlib import Path'] : []),
    'from waymark import Client',
    '',
    'client = Client(os.environ["BASE_URL"], os.environ["API_KEY"], os.environ["SECRET"])',
    '',
    download === undefined ? use : `Path("${download}").${write}(${call})`,
  ].join('\n')
}
