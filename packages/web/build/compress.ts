import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const WORTH_IT_BYTES = 1024

/** Stores the page, scripts and style sheets compressed as well, so that the server never compresses them per request. */
export function compress(): Plugin {
  let folder = ''
  return {
    name: 'waymark:compress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    closeBundle() {
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:html|js|css|svg)$/.test(file)) continue
        const bytes = readFileSync(join(folder, file))
        if (bytes.length < WORTH_IT_BYTES) continue
        const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, { params: size }))
        writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
