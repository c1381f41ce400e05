import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { FONT_PATH } from '@waymark/page'
import type { FastifyInstance } from 'fastify'

/** The files behind the names that pages ask for. Each name stands in full, so that a release finds and packs the file. */
const FILES: Readonly<Record<string, string>> = {
  'overpass-latin': import.meta
    .resolve('@fontsource-variable/overpass/files/overpass-latin-wght-normal.woff2'),
  'overpass-latin-ext': import.meta
    .resolve('@fontsource-variable/overpass/files/overpass-latin-ext-wght-normal.woff2'),
  'overpass-cyrillic': import.meta
    .resolve('@fontsource-variable/overpass/files/overpass-cyrillic-wght-normal.woff2'),
  'overpass-mono-latin': import.meta
    .resolve('@fontsource-variable/overpass-mono/files/overpass-mono-latin-wght-normal.woff2'),
  'overpass-mono-latin-ext': import.meta
    .resolve('@fontsource-variable/overpass-mono/files/overpass-mono-latin-ext-wght-normal.woff2'),
  'overpass-mono-cyrillic': import.meta
    .resolve('@fontsource-variable/overpass-mono/files/overpass-mono-cyrillic-wght-normal.woff2'),
}

const HEADERS = {
  'content-type': 'font/woff2',
  'cache-control': 'public, max-age=2592000',
  'x-content-type-options': 'nosniff',
}

/** The fonts of pages, on every host that serves pages. Each file is read once. */
export function fontSite(app: FastifyInstance): void {
  for (const [name, file] of Object.entries(FILES)) {
    let bytes: Promise<Buffer> | undefined
    app.get(`${FONT_PATH}/${name}.woff2`, async (_request, reply) => {
      bytes ??= readFile(fileURLToPath(file))
      return reply.headers(HEADERS).send(await bytes)
    })
  }
}
