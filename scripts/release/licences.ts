import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

export interface BundledPackage {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly folder: string
}

const MODULES = `${sep}node_modules${sep}`

/** The packages that some files belong to. */
export function packagesOf(files: readonly string[]): BundledPackage[] {
  const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []))
  return [...folders].sort().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as BundledPackage
    return { ...manifest, folder }
  })
}

/** The licences of packages, as one text. */
export function licencesOf(packages: readonly BundledPackage[]): string {
  const texts = packages.map(({ name, version, license, folder }) => {
    const [file] = globSync('{LICEN[CS]E,licen[cs]e,COPYING}*', { cwd: folder }).sort()
    const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
    return `${name} ${version} (${license ?? 'see below'})${text}`
  })
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** The folder of the innermost package around a file; undefined for files of this repository. */
function packageFolder(file: string): string | undefined {
  const at = file.lastIndexOf(MODULES)
  if (at === -1) return undefined
  const words = file.slice(at + MODULES.length).split(sep)
  const name = words.slice(0, words[0]?.startsWith('@') === true ? 2 : 1)
  return file.slice(0, at + MODULES.length) + name.join(sep)
}
