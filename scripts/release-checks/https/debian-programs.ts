import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const onPath = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))

/** Programs of Debian packages: those of the machine, or otherwise unpacked into a folder without installing them. */
export function findPrograms(
  folder: string,
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const missing = Object.keys(wanted).filter((name) => onPath(name) === undefined)
  const packages = [...new Set(missing.map((name) => wanted[name] ?? name))]
  const root = join(folder, 'debian')
  if (packages.length > 0) {
    mkdirSync(root, { recursive: true })
    try {
      execFileSync('apt-get', ['download', ...packages], { cwd: root, stdio: 'pipe' })
      for (const file of readdirSync(root).filter((name) => name.endsWith('.deb')))
        execFileSync('dpkg-deb', ['-x', file, 'files'], { cwd: root, stdio: 'pipe' })
    } catch (error) {
      throw new Error(`This check needs ${packages.join(' and ')} (Debian packages of these names)`, {
        cause: error,
      })
    }
  }
  const unpacked = (name: string): string =>
    ['usr/bin', 'usr/sbin'].map((bin) => join(root, 'files', bin, name)).find((file) => existsSync(file)) ??
    name
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, onPath(name) ?? unpacked(name)]))
}
