import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const NAME = 'localhost/waymark-base'
const DOCKERFILE =
  'FROM scratch\nADD debian.tar /\nCOPY node /usr/local\nENV PATH=/usr/local/bin:/usr/bin:/bin\n'
/** Like the official images of Node, without manuals. */
const LEFT_OUT = ['/usr/share/man/*', '/usr/share/doc/*', '/usr/share/locale/*', '/usr/share/info/*']

/**
 * Builds the base image that the Dockerfile would take from a registry: Debian from the package sources of this machine, with
 * the running Node, the library that it needs, and npm. Returns its name.
 */
export function makeBaseImage(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const options = LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`)
  const words = [
    '--quiet',
    '--variant=minbase',
    ...options,
    '--include=ca-certificates,libatomic1',
    'bookworm',
  ]
  execFileSync('mmdebstrap', [...words, join(folder, 'debian.tar')], { stdio: 'inherit' })
  const bin = join(folder, 'node/bin')
  const modules = join(folder, 'node/lib/node_modules')
  mkdirSync(bin, { recursive: true })
  copyFileSync(process.execPath, join(bin, 'node'))
  cpSync(npmFolder(), join(modules, 'npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'))
  writeFileSync(join(folder, 'Dockerfile'), DOCKERFILE)
  execFileSync('buildah', ['bud', '--quiet', '--tag', NAME, folder], { stdio: 'inherit' })
  return NAME
}

function npmFolder(): string {
  const program = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  const folder = dirname(dirname(realpathSync(program)))
  if (!existsSync(join(folder, 'bin/npm-cli.js'))) throw new Error(`There is no npm in ${folder}`)
  return folder
}
