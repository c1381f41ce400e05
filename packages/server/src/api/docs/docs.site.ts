import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { sites } from '@waymark/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { htmlHeaders } from '../../visitors/site.ts'

/** Only allows styles, scripts and requests of this instance, for searching and trying operations. */
const CSP = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** Placeholder of the build for the address of the instance. */
export const ANY_INSTANCE = 'https://instance.invalid'

const NOT_BUILT = 'The docs are not built: run npm run build in the folder of Waymark, then restart it'

/** The files of the docs, which are few and do not change while the server runs. Each is read once. */
class DocsFiles {
  readonly #folder: string
  readonly #baseUrl: string
  readonly #names: ReadonlySet<string>
  readonly #read = new Map<string, Promise<Buffer>>()

  constructor(folder: string, baseUrl: string) {
    this.#folder = folder
    this.#baseUrl = baseUrl
    const all = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
    this.#names = new Set(all.map((name) => name.replaceAll('\\', '/')))
  }

  get isBuilt(): boolean {
    return this.#names.size > 0
  }

  /** The bytes of a file; undefined for an unknown name. */
  read(name: string): Promise<Buffer> | undefined {
    if (!this.#names.has(name)) return undefined
    const bytes = this.#read.get(name) ?? this.#load(name)
    this.#read.set(name, bytes)
    // Failures are not cached.
    bytes.catch(() => this.#read.delete(name))
    return bytes
  }

  async #load(name: string): Promise<Buffer> {
    const text = await readFile(join(this.#folder, name), 'utf8')
    return Buffer.from(text.replaceAll(ANY_INSTANCE, this.#baseUrl))
  }
}

/** Guides and reference, for people and for machines, as written by the build (pages.ts). */
export const docsSite =
  (baseUrl: string, folder: string) =>
  (app: FastifyInstance): void => {
    const files = new DocsFiles(folder, baseUrl)
    const send = async (reply: FastifyReply, name: string): Promise<FastifyReply> => {
      if (!files.isBuilt) return reply.code(503).send({ error: NOT_BUILT })
      const bytes = await files.read(name)
      if (bytes === undefined) {
        reply.callNotFound()
        return reply
      }
      // The URL of the style sheet has its hash.
      reply.header('cache-control', name === 'style.css' ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (name.endsWith('.html')) return reply.headers(htmlHeaders(CSP)).send(bytes)
      const type = TYPES[extname(name)] ?? 'application/octet-stream'
      return reply.header('content-type', type).header('x-content-type-options', 'nosniff').send(bytes)
    }
    app.get(sites.openapi, (_request, reply) =>
      send(reply.header('access-control-allow-origin', '*'), 'openapi.json'),
    )
    app.get(sites.llms, (_request, reply) => send(reply, 'llms.txt'))
    app.get(sites.docs, (_request, reply) => send(reply, 'index.html'))
    app.get<{ Params: { '*': string } }>(`${sites.docs}/*`, (request, reply) => {
      const path = request.params['*'].replace(/\/$/, '')
      return send(reply, extname(path) in TYPES ? path : `${path || 'index'}.html`)
    })
  }
