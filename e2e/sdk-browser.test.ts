/// <reference lib="dom" />
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSdk } from '../packages/sdk/build/build.ts'
import { launchBrowser } from '../scripts/services/chromium.ts'
import { startWaymark, type Account, type Waymark } from './support/waymark.ts'

/* The published module in a page of another origin, as an integrator would use it. */

let waymark: Waymark
let account: Account
let site: Server
let origin: string
let browser: Browser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-sdk-browser-'))
  await buildSdk(folder)
  const module = await readFile(join(folder, 'index.js'))
  site = createServer((request, response) => {
    const isModule = request.url === '/waymark.js'
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html')
    response.end(isModule ? module : '<!doctype html><title>Integrator</title>')
  }).listen(0, 'localhost')
  await once(site, 'listening')
  origin = `http://localhost:${(site.address() as AddressInfo).port}`
  waymark = await startWaymark({ CORS_ORIGINS: origin })
  account = await waymark.account()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await waymark.stop()
  site.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs in the page, as text, because the test runner rewrites imports. */
const program = (credentials: object): string => `
import { createClient, NotFoundError, file } from '/waymark.js'
const client = createClient(${JSON.stringify(credentials)})
const url = 'https://example.com/'
const canvas = new OffscreenCanvas(64, 64)
canvas.getContext('2d').fillRect(0, 0, 64, 64)
const progress = []
const { data: code } = await client.generateQr(
  { url, pattern: 'dots', logo: await canvas.convertToBlob() },
  { onUploadProgress: ({ loaded, total }) => progress.push(loaded / total) },
)
const { data: link } = await client.generateLink({ link: url })
await client.editLinks({ ...link, description: 'changed' }, { ifMatch: link })
const seen = []
for await (const { description } of client.links()) seen.push(description)
const isNotFound = await client.removeLinks({ uuid: 'unknown' }).catch((error) => error instanceof NotFoundError)
const noPath = await client
  .generateQr({ url, pattern: 'dots', logo: file('/etc/passwd') })
  .catch((error) => error.message)
globalThis.result = { logo: code.logo, last: progress.at(-1), seen, isNotFound, noPath }
`

test('the SDK signs, uploads, lists and fails in a browser as it does in Node', async () => {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(origin)
  const { apiKey, secret } = account
  await page.addScriptTag({ type: 'module', content: program({ baseUrl: waymark.url, apiKey, secret }) })
  const result = (): Promise<unknown> =>
    page.evaluate(() => (globalThis as unknown as { result?: unknown }).result)
  await expect.poll(async () => faults[0] ?? (await result()), { timeout: 60_000 }).toBeDefined()
  expect(faults).toEqual([])
  expect(await result()).toEqual({
    logo: expect.stringContaining('/m/'),
    last: 1,
    seen: ['changed'],
    isNotFound: true,
    noPath: 'A path can be uploaded only where there is a file system',
  })
})
