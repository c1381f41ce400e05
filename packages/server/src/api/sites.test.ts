import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import type { Site } from './routes.ts'
import { addSites } from './server.ts'

const page: Site = (app) => app.get('/page/:name', (_request, reply) => reply.send('page'))
const reports: Site = (app) => app.post('/reports', (_request, reply) => reply.code(204).send())
/** Like the short links: matches every method and every path that no other site has. */
const links: Site = (app) =>
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/:code',
    handler: (_request, reply) => reply.send('link'),
  })

const open = () => {
  const app = fastify({ exposeHeadRoutes: true })
  addSites(app, [page, reports, links], (_request, reply, { status, headers, body }) =>
    reply.code(status).headers(headers).send(body),
  )
  return app
}

it('405 with the allowed methods, for another method on a path of a site', async () => {
  const app = open()
  const cases = [
    ['PUT', '/page/one', 'GET, HEAD'],
    ['OPTIONS', '/page/one', 'GET, HEAD'],
    ['GET', '/reports', 'POST'],
    ['HEAD', '/reports', 'POST'],
  ] as const
  for (const [method, url, allow] of cases) {
    const { statusCode, headers } = await app.inject({ method, url })
    expect([method, url, statusCode, headers['allow']]).toEqual([method, url, 405, allow])
  }
  const broken = { 'content-type': 'application/json; charset', 'content-length': '5' }
  const withBody = await app.inject({ method: 'PATCH', url: '/page/one', payload: '{"a":', headers: broken })
  expect([withBody.statusCode, withBody.json()]).toEqual([405, { error: 'Method not allowed' }])
  await app.close()
})

it('keeps the methods of a site', async () => {
  const app = open()
  expect((await app.inject('/page/one')).body).toBe('page')
  expect((await app.inject({ method: 'HEAD', url: '/page/one' })).statusCode).toBe(200)
  expect((await app.inject({ method: 'POST', url: '/reports' })).statusCode).toBe(204)
  expect((await app.inject({ method: 'DELETE', url: '/code' })).body).toBe('link')
  expect((await app.inject({ method: 'DELETE', url: '/code/more' })).statusCode).toBe(404)
  await app.close()
})
