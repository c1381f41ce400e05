import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDocs } from '../../packages/server/src/api/docs/pages.ts'
import { bundleServer } from './bundle-server.ts'
import { type BundledPackage, licencesOf, packagesOf } from './licences.ts'

/*
 * Builds the npm package of the server: JavaScript instead of the sources, the dashboard, the docs, the migrations as separate
 * files, and the data files of the server. Only what cannot be bundled stays a dependency, pinned to the tested version.
 */

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Native code, libraries that read or start files of their own package, and one that is loaded by name. */
export const KEPT = ['@node-rs/argon2', 'better-sqlite3', 'ioredis', 'pdfkit', 'piscina', 'sharp']
/** The oldest Node that has everything the server uses. */
const ENGINES = { node: '>=24.14' }
const TEXTS = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE']

/** Builds the package into a folder, which is emptied first; returns the packages that are inside it. */
export async function buildServerPackage(root: string, folder: string): Promise<BundledPackage[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const server = join(root, 'packages/server')
  const bundled = packagesOf(await bundleServer(join(server, 'src'), folder, KEPT))
  cpSync(join(server, 'bin'), join(folder, 'bin'), { recursive: true })
  cpSync(join(root, 'packages/web/dist'), join(folder, 'dashboard'), { recursive: true })
  buildDocs(join(folder, 'docs-site'), join(folder, 'dashboard'))
  for (const name of globSync('docs/*.md', { cwd: root })) cpSync(join(root, name), join(folder, name))
  for (const name of TEXTS) cpSync(join(root, name), join(folder, name))
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licencesOf(bundled))
  writeManifest(root, folder)
  return bundled
}

function writeManifest(root: string, folder: string): void {
  const read = (file: string): Manifest => JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
  const { version } = read('package.json')
  const { dependencies = {} } = read('packages/server/package.json')
  const manifest = {
    name: 'waymark',
    version,
    description: 'Short links, QR codes, barcodes, landing pages and UTM links: one self-hosted service',
    keywords: ['url-shortener', 'short-links', 'qr-code', 'barcode', 'landing-page', 'utm', 'self-hosted'],
    license: 'MIT',
    type: 'module',
    bin: { waymark: './bin/waymark.mjs' },
    engines: ENGINES,
    dependencies: Object.fromEntries(KEPT.map((name) => [name, dependencies[name]])),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
