import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { Plugin } from 'vite'

/**
 * Bundles the script of the docs as a single file, with a hash in its name. Built together with the dashboard it would share
 * chunks with it, and every page of the docs would load React.
 */
export function docsScript(path: string): Plugin {
  return {
    name: 'waymark:docs-script',
    apply: 'build',
    async generateBundle() {
      const input = resolve(import.meta.dirname, '..', path)
      const build = await rolldown({ input, platform: 'browser', external: /^node:/ })
      const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
      await build.close()
      const source = output[0].code
      const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
      this.emitFile({ type: 'asset', fileName: `assets/docs-${hash}.js`, source })
    },
  }
}
