// The reference: a tuned node:http server that sends the bytes of a redirect and does nothing else.
import { createServer } from 'node:http'

const url = 'https://example.com/some/page?number=1234567'

createServer((_request, response) => {
  response.writeHead(302, ['location', url, 'cache-control', 'private, max-age=0', 'content-length', '0'])
  response.end()
}).listen(Number(process.env['PORT']), '127.0.0.1')
