import { mkdir, mkdtemp, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

const PREFIX = 'body-'

/** One request's temporary files: a folder of its own, made when the first file comes, readable by its owner alone. */
export class TempFolder {
  readonly #parent: string
  #path: string | undefined
  #files = 0

  constructor(parent: string) {
    this.#parent = parent
  }

  async create(): Promise<{ path: string; handle: FileHandle }> {
    if (this.#path === undefined) {
      await mkdir(this.#parent, { recursive: true, mode: 0o700 })
      this.#path = await mkdtemp(join(this.#parent, PREFIX))
    }
    const path = join(this.#path, String(this.#files++))
    return { path, handle: await open(path, 'wx', 0o600) }
  }

  /** May be called again. */
  async remove(): Promise<void> {
    if (this.#path === undefined) return
    const path = this.#path
    this.#path = undefined
    await rm(path, { recursive: true, force: true })
  }
}

/** Removes what a killed process left behind; to be called at start, with an age no request under way can have. */
export async function removeStaleBodies(parent: string, olderThanMs: number, nowMs: number): Promise<void> {
  const names = await readdir(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter((name) => name.startsWith(PREFIX))) {
    const path = join(parent, name)
    // Another process of the same server may be sweeping too.
    const changedMs = await stat(path).then(
      (stats) => stats.mtimeMs,
      () => nowMs,
    )
    if (nowMs - changedMs > olderThanMs) await rm(path, { recursive: true, force: true })
  }
}
