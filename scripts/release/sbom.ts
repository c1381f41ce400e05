import { execFileSync } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BundledPackage } from './licences.ts'

/**
 * Pins every dependency of a package, including indirect ones, to the versions that npm resolves now, and writes a CycloneDX
 * SBOM: what npm will install, and what is bundled. The pins contain no registry URLs.
 */
export function writeSbom(folder: string, bundled: readonly BundledPackage[], file: string): void {
  const npm = (...words: string[]): string =>
    execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  npm('install', '--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved', '--no-audit')
  const text = npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev')
  const document = JSON.parse(text) as { components: unknown[] }
  document.components.push(...bundled.map(componentOf))
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`)
  renameSync(join(folder, 'package-lock.json'), join(folder, 'npm-shrinkwrap.json'))
}

const componentOf = ({ name, version, license }: BundledPackage): object => ({
  'bom-ref': `bundled:${name}@${version}`,
  type: 'library',
  name,
  version,
  scope: 'required',
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
})
