import { cpSync, globSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'

/** `new URL('./file.ts', import.meta.url)`: how sources refer to files that they start or read. */
const OWN_FILE = /new URL\(\s*'(\.[^']+)',\s*import\.meta\.url,?\s*\)/g
/** `import.meta.resolve('package/file')`: how sources refer to data files of packages. */
const PACKAGE_FILE = /import\.meta\s*\.resolve\(\s*'([^']+)',?\s*\)/g
const MIGRATIONS = 'storage/db/migrations'
/** Splits the server's file, which would otherwise exceed the size that Node reads with one byte per character (1 MB). */
const FILES_OF_THEIR_OWN = [{ name: 'fastify', test: /node_modules\/(?:fastify|avvio|find-my-way|semver)\// }]
/** Fastify requires them if it is given no compilers, and for tests; the server provides some (api/server.ts). */
const NEVER_REQUIRED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

/**
 * Bundles the server into `dist/` and `data/` of a folder, with all imports except `kept`. Returns the bundled
 * files.
 */
export async function bundleServer(
  source: string,
  folder: string,
  kept: readonly string[],
): Promise<string[]> {
  const migrations = globSync(`${MIGRATIONS}/[0-9]*.ts`, { cwd: source })
  const input = Object.fromEntries([
    ...['main', 'cli'].map((name) => [name, join(source, `${name}.ts`)]),
    ...migrations.map((file) => [`migrations/${basename(file, '.ts')}`, join(source, file)]),
  ]) as Record<string, string>
  const build = await rolldown({
    input,
    platform: 'node',
    external: (id) => kept.includes(id),
    preserveEntrySignatures: 'allow-extension',
    plugins: [filesInPackage(source, folder), withoutUnused, oneBytePerCharacter],
  })
  const { output } = await build.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    // All in one folder, so that relative paths between files stay valid.
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: { includeDependenciesRecursively: false, groups: FILES_OF_THEIR_OWN },
  })
  await build.close()
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
}

/** Removes comments: they are half a megabyte, and V8 keeps the text of every loaded file in memory. */
const withoutUnused: Plugin = {
  name: 'without-unused',
  resolveId: (id) => (NEVER_REQUIRED.includes(id) ? `\0${id}` : null),
  load: (id) => (NEVER_REQUIRED.includes(id.slice(1)) ? 'module.exports = undefined' : null),
}

/**
 * Escapes characters outside of Latin-1. V8 keeps the text of a module as long as the module is loaded, and a single such
 * character makes it use two bytes for each: three megabytes in an idle server.
 */
const oneBytePerCharacter: Plugin = {
  name: 'one-byte-per-character',
  // In the last hook, because printing the code again would undo the escapes.
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = escaped(chunk.code)
  },
}

function escaped(code: string): string {
  if (/String\.raw`[^`]*[^\0-\u00ff]/.test(code))
    throw new Error('String.raw takes no characters beyond Latin-1: they are escaped in the package')
  return code.replaceAll(/[^\0-\u00ff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Rewrites references to files to their place in the package. A file without one fails the build. */
function filesInPackage(source: string, folder: string): Plugin {
  const places = new Map([
    [join(source, '../package.json'), '../package.json'],
    [join(source, '../../web/dist'), '../dashboard'],
    [join(source, '../build/docs-site'), '../docs-site'],
    [join(source, MIGRATIONS) + sep, './migrations/'],
    [join(source, 'main.ts'), './main.js'],
  ])
  const copied = (file: string): string => {
    mkdirSync(join(folder, 'data'), { recursive: true })
    cpSync(file, join(folder, 'data', basename(file)))
    return `../data/${basename(file)}`
  }
  return {
    name: 'files-in-package',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta')) return null
      const own = code.replaceAll(OWN_FILE, (_text, name: string) => {
        const file = resolve(dirname(id), name) + (name.endsWith('/') ? sep : '')
        let place = places.get(file)
        if (place === undefined && file.endsWith('.json')) {
          place = copied(file)
        } else if (place === undefined) {
          if (!file.endsWith('.ts')) throw new Error(`${id} names ${name}, which is not in the package`)
          place = `./${basename(file, '.ts')}.js`
          places.set(file, place)
          this.emitFile({ type: 'chunk', id: file, fileName: basename(place) })
        }
        return `new URL('${place}', import.meta.url)`
      })
      const whole = own.replaceAll(
        PACKAGE_FILE,
        (_text, name: string) =>
          `new URL('${copied(createRequire(id).resolve(name))}', import.meta.url).href`,
      )
      // Unchanged, it would look for a package that an installation does not have.
      if (/import\.meta\s*\.\s*resolve\b/.test(whole))
        throw new Error(`${id}: import.meta.resolve takes the name of a file in quotes, and nothing else`)
      return whole
    },
  }
}
