import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Person } from './people.ts'
import { runAs } from './run.ts'

export const NODE_MAJORS = ['20', '22', '24', '26'] as const
export const NPM_MAJORS = ['10', '11'] as const

/** A Node and an npm, alone in a folder that comes first in PATH. */
export interface Toolchain {
  readonly node: string
  readonly npm: string
  readonly path: string
}

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Installs the newest release of every major version from npm, each under its own name. */
export async function installToolchains(
  folder: string,
  person: Person,
  wanted: { readonly nodes: readonly string[]; readonly npms: readonly string[] },
): Promise<Toolchain[]> {
  const { platform, arch } = process
  const packages = [
    ...wanted.nodes.map((major) => `node${major}@npm:node-${platform}-${arch}@${major}`),
    ...wanted.npms.map((major) => `npm${major}@npm:npm@${major}`),
  ]
  const store = join(folder, 'toolchains')
  await mkdir(store, { recursive: true })
  await writeFile(join(store, 'package.json'), '{"private":true}')
  const command = ['npm', 'install', '--no-save', ...packages]
  const { code, output } = await runAs(person, store, process.env['PATH'] ?? SYSTEM_PATH, command)
  if (code !== 0) throw new Error(`${command.join(' ')} exited ${code}: ${output}`)
  const installed = (name: string, file: string): string => join(store, 'node_modules', name, 'bin', file)

  const toolchains: Toolchain[] = []
  for (const node of wanted.nodes) {
    for (const npm of wanted.npms) {
      const bin = join(folder, `node${node}-npm${npm}`)
      await mkdir(bin)
      await chmod(bin, 0o755)
      await symlink(installed(`node${node}`, 'node'), join(bin, 'node'))
      await symlink(installed(`npm${npm}`, 'npm-cli.js'), join(bin, 'npm'))
      await symlink(installed(`npm${npm}`, 'npx-cli.js'), join(bin, 'npx'))
      const path = `${bin}:${SYSTEM_PATH}`
      const version = async (program: string): Promise<string> =>
        (await runAs(person, folder, path, [program, '--version'])).output.trim().replace(/^v/, '')
      toolchains.push({ node: await version('node'), npm: await version('npm'), path })
    }
  }
  return toolchains
}
