import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync } from 'node:fs'

interface Inspected {
  readonly OCIv1: {
    readonly config: {
      readonly User: string
      readonly Env: string[]
      readonly Entrypoint: string[]
      readonly Cmd: string[]
    }
  }
}

/** Like `docker run --read-only --tmpfs /tmp -v DATA:/data --user USER`, without a daemon. */
const SCRIPT = `
set -e
root=$1 data=$2 user=$3; shift 3
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" "$@"
`

const buildah = (...words: string[]): string => execFileSync('buildah', words, { encoding: 'utf8' }).trim()

/** A container of an image: with its user, environment and command, on a read-only root. */
export class Container {
  readonly #name: string
  readonly #root: string
  readonly #dataDir: string
  readonly #config: Inspected['OCIv1']['config']
  #serving: ChildProcess | undefined

  constructor(image: string, dataDir: string) {
    this.#name = buildah('from', image)
    this.#root = buildah('mount', this.#name)
    this.#config = (JSON.parse(buildah('inspect', '--type', 'image', image)) as Inspected).OCIv1.config
    this.#dataDir = dataDir
    const [uid, gid] = this.user.split(':').map(Number)
    if (uid === undefined || gid === undefined || !(uid > 0))
      throw new Error(`The image runs as ${this.user}`)
    mkdirSync(dataDir, { recursive: true })
    chownSync(dataDir, uid, gid)
  }

  get user(): string {
    return this.#config.User
  }

  /** Runs the entrypoint of the image with arguments, such as `waymark key list`. */
  run(...words: string[]): string {
    const [command = '', ...rest] = this.#command({}, words)
    return execFileSync(command, rest, { encoding: 'utf8' })
  }

  /** Starts the command of the image. */
  start(env: Readonly<Record<string, string>>): ChildProcess {
    const [command = '', ...rest] = this.#command(env, this.#config.Cmd)
    this.#serving = spawn(command, rest, { stdio: 'inherit' })
    return this.#serving
  }

  /** Stops it like `docker stop`; returns the exit code and how long it took. */
  async stop(): Promise<{ code: number | null; seconds: number }> {
    const child = this.#serving
    if (child === undefined) throw new Error('Nothing was started')
    const startedAt = performance.now()
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    return { code, seconds: (performance.now() - startedAt) / 1000 }
  }

  remove(): void {
    this.#serving?.kill('SIGKILL')
    buildah('umount', this.#name)
    buildah('rm', this.#name)
  }

  /** Every step replaces the process before it, so signals reach the server itself. */
  #command(env: Readonly<Record<string, string>>, words: readonly string[]): string[] {
    const settings = [...this.#config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
    const inside = ['/usr/bin/env', '-i', ...settings, ...this.#config.Entrypoint, ...words]
    return ['unshare', '--mount', 'sh', '-c', SCRIPT, 'sh', this.#root, this.#dataDir, this.user, ...inside]
  }
}
