import { literal, type Notation } from './literals.ts'
import type { FormPart, SampleRequest } from './request.ts'

/* Languages without a client: the functions are those of the recipes in the guide to signing. */

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

/** The server sends a comment every 15 seconds, so that a minute of silence means a broken connection. */
const phpEvents = (target: string): string => `${phpStream(target, "'timeout' => 60, ")}
$events = fopen(getenv('BASE_URL') . $target, 'r', false, $context);
while (($line = fgets($events)) !== false) {
    if (str_starts_with($line, 'data: ')) {
        print_r(json_decode(substr($line, 6), true));
    }
}`

/** A request with the PHP recipe. */
export function phpSample({ operation, target, body, parts, download, isStream }: SampleRequest): string {
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

/** The name of a variable for a file. */
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
): string => `// digest and the imports are in /docs/signing#go-standard-library-alone
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
export function goSample({ operation, target, body, parts, download, isStream }: SampleRequest): string {
  if (isStream) return goEvents(target)
  const get = `send(${goText(operation.method)}, ${goText(target)}, digest(nil), nil, "")`
  const lines = (): string => {
    if (parts !== undefined) return goForm(target, parts)
    if (body !== undefined) return `\tfmt.Println(sendJSON(${goText(target)}, ${literal(body, GO, 1)}))`
    if (download === undefined) return `\tfmt.Println(${get})`
    return `\tif err := os.WriteFile(${goText(download)}, []byte(${get}), 0o600); err != nil {\n\t\tfmt.Println(err)\n\t}`
  }
  return `// send, sendJSON, sendForm and digest are in /docs/signing#go-standard-library-alone\nfunc main() {\n${lines()}\n}`
}
