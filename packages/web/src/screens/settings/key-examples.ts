/** A request with an access token, to paste into a shell. */
export const tokenExample = (baseUrl: string, token: string): string =>
  `curl ${baseUrl}/v1/generate-link \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"link":"https://example.com/"}'`

/** Requests to paste into a shell, one with only the key and one signed. */
export const curlExample = (baseUrl: string, apiKey: string, secret: string): string =>
  `# Listing and shortening need only the API key.
curl ${baseUrl}/v1/generate-link \\
  -H 'X-API-KEY: ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"link":"https://example.com/"}'

# Everything else is signed: timestamp, method, path and digest, joined by line feeds.
SECRET='${secret}'
BODY='{"url":"https://example.com/","source":"shell","medium":"curl","campaign":"first","content":"try"}'
TIME=$(date +%s)
DIGEST=$(printf %s "$BODY" | sha256sum | cut -d' ' -f1)
SIGNATURE=$(printf '%s\\nPOST\\n/v1/generate-utm\\n%s' "$TIME" "$DIGEST" \\
  | openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/.* //')
curl ${baseUrl}/v1/generate-utm \\
  -H 'X-API-KEY: ${apiKey}' \\
  -H "X-TIMESTAMP: $TIME" -H "X-SIGNATURE: $SIGNATURE" \\
  -H 'Content-Type: application/json' -d "$BODY"
`

/** The same with the SDK, which signs by itself. */
export const sdkExample = (baseUrl: string, apiKey: string, secret: string): string =>
  `import { createClient } from '@waymark/sdk'

const waymark = createClient({
  baseUrl: '${baseUrl}',
  apiKey: '${apiKey}',
  secret: '${secret}',
})

const { data: link } = await waymark.generateLink({ link: 'https://example.com/' })
console.log(link.short_url)

for await (const each of waymark.all('links')) console.log(each.code, each.clicks)
`
