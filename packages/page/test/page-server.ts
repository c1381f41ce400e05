import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CLICK_SCRIPT, CLICK_SCRIPT_PATH, renderPage, type PageView } from '../src/index.ts'

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><rect width="1200" height="900" fill="#7a9"/></svg>'

/** Serves pages by name as the real server does, policy and all, and remembers which clicks were reported. */
export class PageServer {
  readonly reported: string[] = []
  readonly #views: Record<string, PageView>
  readonly #server: Server

  constructor(views: Record<string, PageView>) {
    this.#views = views
    this.#server = createServer((request, response) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const answer = (type: string, body: string): unknown =>
        response.setHeader('content-type', type).end(body)
      if (path === CLICK_SCRIPT_PATH) return answer('text/javascript', CLICK_SCRIPT)
      if (path.startsWith('/m/') || path === '/favicon.ico') return answer('image/svg+xml', PICTURE)
      if (path.startsWith('/e/')) {
        this.reported.push(`${request.method} ${path}`)
        return response.writeHead(204).end()
      }
      const view = this.#views[path.slice(1)]
      if (view === undefined) return answer('text/plain', 'elsewhere')
      const page = renderPage(view)
      const hash = createHash('sha256').update(page.style).digest('base64')
      response.setHeader('content-security-policy', page.csp(hash))
      return answer('text/html; charset=utf-8', page.html)
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
