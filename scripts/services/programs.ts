import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Machine {
  readonly folders: readonly string[]
  readonly mayInstall: boolean
}

function thisMachine(): Machine {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ]
  return { folders, mayInstall: process.getuid?.() === 0 }
}

async function findIn(folders: readonly string[], names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    for (const folder of folders) {
      const file = join(folder, name)
      const usable = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (usable) return file
    }
  }
  return undefined
}

async function install(debianPackage: string): Promise<void> {
  // RUNLEVEL keeps the package from starting its own service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const options = { env, maxBuffer: 64 * 1024 * 1024 }
  // Debian's own updates may hold the lock for minutes.
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  const add = [...wait, 'install', '-y', '--no-install-recommends', ...debianPackage.split(' ')]
  await run('apt-get', ['update', '-qq'], options).catch(() => undefined)
  await run('apt-get', add, options)
}

/** Finds a program, or installs it (as root on Debian), or says in one line what to install. */
export async function needProgram(
  names: readonly string[],
  debianPackage: string,
  { folders, mayInstall }: Machine = thisMachine(),
): Promise<string> {
  const found = await findIn(folders, names)
  if (found !== undefined) return found
  const help = `Tests need ${names.join(' or ')} on the PATH: install it (Debian: apt-get install ${debianPackage})`
  if (!mayInstall || (await findIn(folders, ['apt-get'])) === undefined) throw new Error(help)
  try {
    await install(debianPackage)
  } catch (error) {
    throw new Error(`${help}; installing it failed`, { cause: error })
  }
  const installed = await findIn(folders, names)
  if (installed === undefined) throw new Error(help)
  return installed
}

/** The Python of this machine with virtual environments, for which Debian has a separate package. */
export async function needPython(): Promise<string> {
  const python = await needProgram(['python3'], 'python3-venv')
  const hasPip = (): Promise<boolean> =>
    run(python, ['-c', 'import ensurepip']).then(
      () => true,
      () => false,
    )
  if (!(await hasPip()) && thisMachine().mayInstall) await install('python3-venv')
  if (!(await hasPip()))
    throw new Error('Tests need the module ensurepip of Python (Debian: apt-get install python3-venv)')
  return python
}
