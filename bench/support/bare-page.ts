// The yardstick: node:http with the very bytes and headers of a page, and nothing else.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const headers = JSON.parse(process.env['PAGE_HEADERS'] ?? '[]') as string[]
const body = readFileSync(process.env['PAGE_BODY'] ?? '')

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(process.env['PORT']), '127.0.0.1')
