import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { entryOf, filesOf, readManifest, sizesOf } from './first-load.ts'

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`

/** Prints the size of a visitor's first load, and the additional size of each route, after each build. */
export function printSizes(): Plugin {
  let folder = ''
  return {
    name: 'waymark:print-sizes',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    closeBundle() {
      const manifest = readManifest(folder)
      const first = filesOf(manifest, entryOf(manifest))
      const total = (files: Iterable<string>): string => {
        const sizes = sizesOf(folder, files)
        const gzip = sizes.reduce((sum, size) => sum + size.gzip, 0)
        const brotli = sizes.reduce((sum, size) => sum + size.brotli, 0)
        return `${kilobytes(gzip).padStart(9)} gzip ${kilobytes(brotli).padStart(9)} brotli`
      }
      const lines = [`  first load ${' '.repeat(22)}${total(first)}`]
      for (const [key, chunk] of Object.entries(manifest)) {
        if (!key.startsWith('src/screens/')) continue
        const more = [...filesOf(manifest, key)].filter((file) => !first.has(file))
        if (chunk.isEntry !== true) lines.push(`  + ${key.slice(12).padEnd(30)}${total(more)}`)
      }
      console.log(`dashboard, script and style:\n${lines.join('\n')}`)
    },
  }
}
