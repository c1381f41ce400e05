import { type Operation, type OperationName, operations } from '@waymark/contract'
import type { OperationExample } from '../examples.ts'

/* The two languages with our own client, which signs requests. */

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
  // No space inside braces that are alone on their line.
  return text.replaceAll('{ \n', '{\n').replaceAll(/\n( *) \}/g, '\n$1}')
}

/** A request with the TypeScript SDK. */
function typescriptSample(request: SampleRequest): string {
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
function pythonSample(request: SampleRequest): string {
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

const EMPTY_DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const SHA256 = "sha256() { openssl dgst -sha256 -hex | sed 's/^.*= *//'; }"
const SIGNED = '-H "X-API-KEY: $API_KEY" -H "X-TIMESTAMP: $now" -H "X-SIGNATURE: $signature"'

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const digestOfPart = ({ name, value, isFile }: FormPart): string => {
  const content = isFile ? `sha256 <${value}` : `printf '%s' ${quoted(value)} | sha256`
  return String.raw`    printf '%s\n%s\n' ${quoted(name)} "$(${content})"`
}

const formOption = ({ name, value, isFile }: FormPart): string =>
  isFile ? `-F ${quoted(`${name}=@${value}`)}` : `--form-string ${quoted(`${name}=${value}`)}`

const signature = (method: string, target: string, digest: string): string =>
  `signature=$(printf '%s\\n%s\\n%s\\n%s' "$now" ${method} ${quoted(target)} ${digest} |
  openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/^.*= *//')`

const headersOf = ({ name, operation }: SampleRequest): string[] => {
  if (operation.auth === 'signed') return [SIGNED]
  if (operation.auth === 'key') return ['-H "X-API-KEY: $API_KEY"']
  if (operation.auth === 'session') return ['-b cookies.txt -H "Origin: $BASE_URL"']
  return name === 'signIn' || name === 'signUp' ? ['-c cookies.txt'] : []
}

const call = (request: SampleRequest, ...more: string[]): string => {
  const { target, download, isStream } = request
  const output = download === undefined ? [] : [`-o ${download}`]
  return [
    `curl -sS${isStream ? 'N' : ''} "$BASE_URL${target}"`,
    ...headersOf(request),
    ...more,
    ...output,
  ].join(' \\\n  ')
}

const formLines = (request: SampleRequest, parts: readonly FormPart[]): string[] => {
  const { operation, target } = request
  return [
    SHA256,
    'now=$(date +%s)',
    `digest=$(\n  {\n${parts.map(digestOfPart).join('\n')}\n  } | sha256\n)`,
    signature(operation.method, target, '"$digest"'),
    call(request, ...parts.map(formOption)),
  ]
}

/** A request with curl, signed with openssl. */
function curlSample(request: SampleRequest): string {
  const { operation, target, body, parts } = request
  const isSigned = operation.auth === 'signed'
  if (parts !== undefined) return formLines(request, parts).join('\n')
  if (body === undefined) {
    const lines = isSigned ? ['now=$(date +%s)', signature(operation.method, target, EMPTY_DIGEST)] : []
    return [...lines, call(request)].join('\n')
  }
  const json = `body=${quoted(JSON.stringify(body))}`
  const sent = call(request, '-H \'Content-Type: application/json\' --data-binary "$body"')
  if (!isSigned) return [json, sent].join('\n')
  const digest = `"$(printf '%s' "$body" | sha256)"`
  return [SHA256, json, 'now=$(date +%s)', signature(operation.method, target, digest), sent].join('\n')
}

/** How a language writes values. */
interface Notation {
  readonly text: (value: string) => string
  readonly nothing: string
  readonly yes: string
  readonly no: string
  readonly list: readonly [open: string, close: string]
  readonly object: readonly [open: string, close: string]
  readonly key: (name: string) => string
  readonly indent: string
}

const MAX_IN_A_LINE = 60

const wrapped = (
  [open, close]: readonly [string, string],
  items: readonly string[],
  indent: string,
  level: number,
): string => {
  if (items.length === 0) return open + close
  const line = items.join(', ')
  if (line.length <= MAX_IN_A_LINE && !line.includes('\n')) return `${open}${line}${close}`
  const inner = indent.repeat(level + 1)
  return `${open}\n${items.map((item) => `${inner}${item},`).join('\n')}\n${indent.repeat(level)}${close}`
}

/** A JSON value as a literal of a language; `special` formats some fields in another way, such as files. */
function literal(
  value: unknown,
  notation: Notation,
  level = 0,
  special: Readonly<Record<string, string>> = {},
): string {
  if (value === null) return notation.nothing
  if (typeof value === 'boolean') return value ? notation.yes : notation.no
  if (typeof value === 'string') return notation.text(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, notation, level + 1))
    return wrapped(notation.list, items, notation.indent, level)
  }
  if (typeof value === 'object') {
    const items = Object.entries(value).map(
      ([name, inner]) => notation.key(name) + (special[name] ?? literal(inner, notation, level + 1)),
    )
    return wrapped(notation.object, items, notation.indent, level)
  }
  return JSON.stringify(value)
}

/* Languages without a client use the functions of the recipes in the guide to signing. */

const phpText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`

const PHP: Notation = {
  text: phpText,
  nothing: 'null',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  object: ['[', ']'],
  key: (name) => `${phpText(name)} => `,
  indent: '    ',
}

const phpForm = (parts: readonly FormPart[]): string => {
  const fields = parts.map(({ name, value, isFile }) => {
    const shown = isFile ? `new CURLFile(${phpText(value)}, null, ${phpText(value)})` : phpText(value)
    return `    ${phpText(name)} => ${shown},`
  })
  return `[\n${fields.join('\n')}\n]`
}

/** A signed GET whose response is read as a stream. */
const phpStream = (target: string, options: string): string => `$target = ${phpText(target)};
$timestamp = (string) (int) (microtime(true) * 1000);
$canonical = implode("\\n", [$timestamp, 'GET', $target, hash('sha256', '')]);
$signature = hash_hmac('sha256', $canonical, getenv('SECRET'));
$context = stream_context_create(['http' => [${options}'header' => [
    'X-API-KEY: ' . getenv('API_KEY'), "X-TIMESTAMP: $timestamp", "X-SIGNATURE: $signature",
]]]);`

const phpDownload = (target: string, file: string): string => `${phpStream(target, '')}
file_put_contents('${file}', file_get_contents(getenv('BASE_URL') . $target, false, $context));`

/** The server sends a comment every 15 seconds, so a minute of silence means a broken connection. */
const phpEvents = (target: string): string => `${phpStream(target, "'timeout' => 60, ")}
$events = fopen(getenv('BASE_URL') . $target, 'r', false, $context);
while (($line = fgets($events)) !== false) {
    if (str_starts_with($line, 'data: ')) {
        print_r(json_decode(substr($line, 6), true));
    }
}`

/** A request with the PHP recipe. */
function phpSample({ operation, target, body, parts, download, isStream }: SampleRequest): string {
  if (isStream) return `<?php\n${phpEvents(target)}`
  if (download !== undefined) return `<?php\n${phpDownload(target, download)}`
  const path = phpText(target)
  const call =
    parts !== undefined
      ? `sendForm(${path}, ${phpForm(parts)})`
      : body !== undefined
        ? `sendJson(${path}, ${literal(body, PHP)})`
        : `send('${operation.method}', ${path}, hash('sha256', ''))`
  return `<?php\n// send, sendJson and sendForm are in /docs/signing#php\nprint_r(${call});`
}

const goText = (text: string): string => JSON.stringify(text)

const GO: Notation = {
  text: goText,
  nothing: 'nil',
  yes: 'true',
  no: 'false',
  list: ['[]any{', '}'],
  object: ['map[string]any{', '}'],
  key: (name) => `${goText(name)}: `,
  indent: '\t',
}

/** A variable name for a file. */
const variableOf = (file: string): string => file.slice(0, Math.max(file.indexOf('.'), 1))

const goForm = (target: string, parts: readonly FormPart[]): string => {
  const files = [...new Set(parts.filter(({ isFile }) => isFile).map(({ value }) => value))]
  const reads = files.map(
    (file) =>
      `\t${variableOf(file)}, err := os.ReadFile(${goText(file)})\n\tif err != nil {\n\t\tpanic(err)\n\t}\n`,
  )
  const fields = parts.map(({ name, value, isFile }) =>
    isFile
      ? `\t\t{name: ${goText(name)}, filename: ${goText(value)}, data: ${variableOf(value)}},`
      : `\t\t{name: ${goText(name)}, data: []byte(${goText(value)})},`,
  )
  return `${reads.join('')}\tfmt.Println(sendForm(${goText(target)}, []part{\n${fields.join('\n')}\n\t}))`
}

const goEvents = (
  target: string,
): string => `// digest and the imports are in /docs/signing#go-standard-library-only
func main() {
	target := ${goText(target)}
	timestamp := strconv.FormatInt(time.Now().UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(os.Getenv("SECRET")))
	mac.Write([]byte(strings.Join([]string{timestamp, "GET", target, digest(nil)}, "\\n")))
	request, err := http.NewRequest("GET", os.Getenv("BASE_URL")+target, nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("X-API-KEY", os.Getenv("API_KEY"))
	request.Header.Set("X-TIMESTAMP", timestamp)
	request.Header.Set("X-SIGNATURE", hex.EncodeToString(mac.Sum(nil)))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	fmt.Println(io.Copy(os.Stdout, response.Body))
}`

/** A request with the Go recipe. */
function goSample({ operation, target, body, parts, download, isStream }: SampleRequest): string {
  if (isStream) return goEvents(target)
  const get = `send(${goText(operation.method)}, ${goText(target)}, digest(nil), nil, "")`
  const lines = (): string => {
    if (parts !== undefined) return goForm(target, parts)
    if (body !== undefined) return `\tfmt.Println(sendJSON(${goText(target)}, ${literal(body, GO, 1)}))`
    if (download === undefined) return `\tfmt.Println(${get})`
    return `\tif err := os.WriteFile(${goText(download)}, []byte(${get}), 0o600); err != nil {\n\t\tfmt.Println(err)\n\t}`
  }
  return `// send, sendJSON, sendForm and digest are in /docs/signing#go-standard-library-only\nfunc main() {\n${lines()}\n}`
}

/** A field of a form: a text or the name of a file. */
interface FormPart {
  readonly name: string
  readonly value: string
  readonly isFile: boolean
}

/** A request to write in each language. */
interface SampleRequest {
  readonly name: OperationName
  readonly operation: Operation
  /** Path with query string. */
  readonly target: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly files: readonly string[]
  /** The fields of a form; undefined if the body is JSON or there is none. */
  readonly parts: readonly FormPart[] | undefined
  /** Whether the response is a list, or a stream of events. */
  readonly isMany: boolean
  readonly isStream: boolean
  /** File name for the response; undefined if the operation returns JSON. */
  readonly download: string | undefined
}

const DOWNLOADS: Partial<Record<OperationName, string>> = {
  exportLinks: 'links.csv',
  exportClicks: 'clicks.csv',
  takeout: 'takeout.tar.gz',
  printCode: 'code.pdf',
  exportCodes: 'codes.zip',
}

/** Fields with numbered brackets: every name is unique, which some languages require. */
const partsOf = (name: string, value: unknown, isFile: boolean): FormPart[] => {
  if (Array.isArray(value)) return value.flatMap((item, at) => partsOf(`${name}[${at}]`, item, isFile))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => partsOf(`${name}[${key}]`, inner, isFile))
  return [{ name, value: typeof value === 'string' ? value : JSON.stringify(value), isFile }]
}

/** The request of a recorded call. */
function sampleRequest(name: OperationName, example: OperationExample): SampleRequest {
  const operation: Operation = operations[name]
  const { query = {}, body, files = [], response } = example
  const pairs = Object.entries(query).map(([key, value]) => [key, String(value)])
  const search = new URLSearchParams(pairs).toString()
  const isStream = operation.returns === 'events'
  const isForm = operation.takes === 'multipart' && body !== undefined
  return {
    name,
    operation,
    target: operation.path + (search === '' ? '' : `?${search}`),
    query,
    body,
    files,
    parts: isForm
      ? Object.entries(body).flatMap(([key, value]) => partsOf(key, value, files.includes(key)))
      : undefined,
    isMany: isStream || (typeof response === 'object' && response !== null && 'meta' in response),
    isStream,
    download: DOWNLOADS[name],
  }
}

/** Each language: its name in code blocks, its title, and its function. */
const LANGUAGES: readonly (readonly [language: string, title: string, (request: SampleRequest) => string])[] =
  [
    ['sh', 'curl', curlSample],
    ['ts', 'TypeScript', typescriptSample],
    ['python', 'Python', pythonSample],
    ['php', 'PHP', phpSample],
    ['go', 'Go', goSample],
  ]

/** Operations of the dashboard use a cookie instead of a key, so clients do not have them. */
const languagesOf = ({ operation }: SampleRequest) =>
  operation.tag === 'Dashboard' ? LANGUAGES.slice(0, 1) : LANGUAGES

/** The request in every language, as code blocks of Markdown. */
export function samplesOf(name: OperationName, example: OperationExample): string {
  const request = sampleRequest(name, example)
  return languagesOf(request)
    .map(([language, title, write]) => `\`\`\`${language} title=${title}\n${write(request)}\n\`\`\``)
    .join('\n\n')
}
