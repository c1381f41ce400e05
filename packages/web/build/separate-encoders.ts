import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Plugin } from 'vite'

const QUERY = '?encoder='

/** The encoder that a file of packages/codes/src/bwip imports, or for which a file of the library was copied. */
const encoderOf = (importer: string): string | undefined =>
  importer.includes(QUERY)
    ? importer.slice(importer.indexOf(QUERY) + QUERY.length)
    : /[\\/]codes[\\/]src[\\/]bwip[\\/]/.test(importer)
      ? basename(importer, '.ts')
      : undefined

/**
 * All encoders of bwip-js are one module, which bundlers never split. Each encoder of two-dimensional codes gets a copy of it
 * under its own name, from which the others are removed as unused: a browser loads only the one that it
 * needs.
 */
export function separateEncoders(): Plugin {
  return {
    name: 'waymark:separate-encoders',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer = '', options) {
      const encoder = encoderOf(importer)
      if (encoder === undefined) return null
      const found = await this.resolve(source, importer.split(QUERY)[0], { ...options, skipSelf: true })
      if (found === null || found.external !== false) return found
      return { ...found, id: found.id + QUERY + encoder }
    },
    async load(id) {
      const [path = '', encoder] = id.split(QUERY)
      return encoder === undefined ? null : readFile(path, 'utf8')
    },
  }
}
