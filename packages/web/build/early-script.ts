import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Puts a small classic script into the head, with a hash in its name. It runs before the first paint; a module would run
 * after it, and inline scripts are not allowed.
 */
export function earlyScript(path: string): Plugin {
  const file = resolve(import.meta.dirname, '..', path)
  const source = readFileSync(file, 'utf8')
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const name = `assets/early-${hash}.js`
  let address = ''
  return {
    name: 'waymark:early-script',
    configResolved(config) {
      address = config.base + (config.command === 'build' ? name : path)
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: address }, injectTo: 'head' }],
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: name, source })
    },
  }
}
