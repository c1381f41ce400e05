import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Builds a release of this tree in a folder, committed or not; returns the path of one of its files. */
export function makeRelease(into: string, pattern: string): string {
  const words = [join(root, 'scripts/release.ts'), '--uncommitted', '--into', into]
  execFileSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [file] = globSync(pattern, { cwd: into })
  if (file === undefined) throw new Error(`The release has no ${pattern}`)
  return join(into, file)
}

export const SERVER_PACKAGE = 'waymark-[0-9]*.tgz'

/** Installs the server's package with only its runtime dependencies; returns its folder. */
export function installPackage(file: string, prefix: string, env: NodeJS.ProcessEnv = process.env): string {
  const words = ['install', '--global', '--prefix', prefix, '--omit=dev', file]
  execFileSync('npm', words, { env, stdio: 'inherit' })
  return join(prefix, 'lib/node_modules/waymark')
}
