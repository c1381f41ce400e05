// A server with the paths of the table behind ROUTER: Fastify as the API uses it, or the router inside Fastify alone.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { operations } from '@waymark/contract'
import fastify from 'fastify'

interface Router {
  on(
    method: string,
    path: string,
    handler: (request: IncomingMessage, response: ServerResponse) => void,
  ): void
  lookup(request: IncomingMessage, response: ServerResponse): void
}

const body = Buffer.from('{"status":"success","message":"Short links","data":[]}')
const port = Number(process.env['PORT'])
const paths = Object.values(operations).map(({ path }) => path)

if (process.env['ROUTER'] === 'fastify') {
  const app = fastify()
  for (const path of paths)
    app.get(path, (_request, reply) => reply.headers({ 'content-type': 'application/json' }).send(body))
  await app.listen({ port, host: '127.0.0.1' })
} else {
  const name = 'find-my-way'
  const { default: open } = (await import(name)) as { default: () => Router }
  const router = open()
  for (const path of paths)
    router.on('GET', path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    })
  createServer((request, response) => router.lookup(request, response)).listen(port, '127.0.0.1')
}
process.on('SIGTERM', () => process.exit(0))
