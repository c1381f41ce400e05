import {
  createClient,
  file,
  NotFoundError,
  ValidationError,
  verifyWebhook,
  WaymarkError,
  type Client,
  type Input,
  type Link,
  type WebhookEvent,
} from '@waymark/sdk'

declare const process: { argv: string[] }
declare const console: { log(text: string): void }

const [, , baseUrl = '', path = '', delivery = '{}'] = process.argv
const attempts: number[] = []
const waymark: Client = createClient({
  baseUrl,
  apiKey: 'wm_key',
  secret: 'wms_secret',
  deadlineMs: 10_000,
  onRequest: ({ headers, attempt }) => {
    headers['x-trace'] = String(attempt)
    attempts.push(attempt)
  },
})

const input: Input<'generateLink'> = { link: 'https://example.com/', redirect: 308, expire: null }
const { data: link, message } = await waymark.generateLink(input, { signal: AbortSignal.timeout(10_000) })
const shown: string = link.short_url
const all: Link[] = []
for await (const each of waymark.links({ search: 'x' })) all.push(each)
const { meta } = await waymark.links()
await waymark.editLinks({ ...link, description: 'changed' }, { ifMatch: link })
for (const logo of [file(path), new Uint8Array([1, 2, 3]), new Blob(['x']), new Blob(['y']).stream()])
  await waymark.generateQr({ url: 'https://example.com/', pattern: 'dots', logo })

let rejected = ''
try {
  // @ts-expect-error no such pattern
  await waymark.generateQr({ url: 'https://example.com/', pattern: 'stars' })
} catch (error) {
  if (error instanceof ValidationError) rejected = `${error.name} ${error.code}`
}
// @ts-expect-error a link needs a destination
const missing: Input<'generateLink'> = {}

let caught = ''
try {
  await waymark.removeLinks({ uuid: 'unknown' })
} catch (error) {
  if (error instanceof NotFoundError && error instanceof WaymarkError) caught = `${error.name} ${error.code}`
}

const { headers, body, secret } = JSON.parse(delivery) as {
  headers: Record<string, string>
  body: string
  secret: string
}
const event: WebhookEvent = await verifyWebhook(secret, { headers, body })
const about = event.type === 'link.created' ? event.data.short_url : ''

console.log(
  JSON.stringify({
    shown,
    message,
    all: all.length,
    total: meta.total,
    caught,
    about,
    rejected,
    attempts: attempts.length,
    ...missing,
  }),
)
