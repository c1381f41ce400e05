import type { FormPart, SampleRequest } from './request.ts'

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
export function curlSample(request: SampleRequest): string {
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
