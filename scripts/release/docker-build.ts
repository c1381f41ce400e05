import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'

/*
 * The input and commands of `docker build .` in a clone, for checks on machines without Docker: files that are not in
 * .dockerignore, the RUN commands of each stage, and a PATH like that of the base image.
 */

/** The programs of Debian's slim images that a build uses; they have no Python, git or compiler. */
const BASE_PROGRAMS = [
  'sh',
  'env',
  'cat',
  'cp',
  'ln',
  'ls',
  'mkdir',
  'mv',
  'rm',
  'sed',
  'tar',
  'gzip',
  'uname',
]

/** Copies what `docker build .` would send from a clone: tracked and new files, except those in .dockerignore. */
export function copyContext(root: string, into: string): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
  const isLeftOut = ignoredBy(readFileSync(join(root, '.dockerignore'), 'utf8'))
  for (const file of listed.split('\0')) {
    if (file === '' || isLeftOut(file) || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(into, file)), { recursive: true })
    cpSync(join(root, file), join(into, file))
  }
}

/** A pattern also covers everything below it. Exceptions (`!`) are not supported. */
function ignoredBy(text: string): (file: string) => boolean {
  const patterns = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const unknown = patterns.find((pattern) => /^!|\/$/.test(pattern))
  if (unknown !== undefined)
    throw new Error(`.dockerignore: ${unknown} is a kind of pattern that checks do not know`)
  return (file) => {
    const parts = file.split('/')
    const paths = parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
    return paths.some((path) => patterns.some((pattern) => matchesGlob(path, pattern)))
  }
}

/** The RUN commands of a Dockerfile by the name of their stage; the last stage has the name ''. */
export function runCommands(dockerfile: string): Map<string, string[]> {
  const stages = new Map<string, string[]>()
  let stage = ''
  for (const line of dockerfile.replaceAll('\\\n', ' ').split('\n')) {
    const from = /^FROM \S+(?: AS (?<name>\w+))?$/.exec(line)
    if (from !== null) stage = from.groups?.['name'] ?? ''
    if (line.startsWith('RUN ')) stages.set(stage, [...(stages.get(stage) ?? []), line.slice('RUN '.length)])
  }
  return stages
}

/** Creates a folder with the running Node, npm and the programs of a slim image, as the only one in PATH. */
export function makeBasePath(folder: string): string {
  const at = (program: string): string =>
    execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
  mkdirSync(folder, { recursive: true })
  symlinkSync(process.execPath, join(folder, 'node'))
  symlinkSync(realpathSync(at('npm')), join(folder, 'npm'))
  for (const program of BASE_PROGRAMS) symlinkSync(at(program), join(folder, program))
  return folder
}
