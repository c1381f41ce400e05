import { chmod, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const OTHERS = 0o077

/** Makes the folder if needed and closes it to everyone but its owner. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolders(path)
  await closeToOthers(path, 0o700)
}

/**
 * Makes the folder and those above it, one after the other. Node's own recursive mkdir never ends where a folder above
 * exists and the kernel still reports that there is none, as it does in /proc.
 */
export async function makeFolders(path: string): Promise<void> {
  const make = (): Promise<void> => mkdir(path, { mode: 0o700 })
  const parent = dirname(path)
  try {
    await make()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || parent === path) throw error
    await makeFolders(parent)
    await make().catch((again: NodeJS.ErrnoException) => {
      // Another process may have made it meanwhile.
      if (again.code !== 'EEXIST') throw again
    })
  }
}

/** Makes an empty file if needed and closes it to everyone but its owner. */
export async function makePrivateFile(path: string): Promise<void> {
  const file = await open(path, 'a', 0o600)
  await file.close()
  await closeToOthers(path, 0o600)
}

async function closeToOthers(path: string, mode: number): Promise<void> {
  const found = await stat(path)
  if ((found.mode & OTHERS) === 0) return
  // A mounted volume may belong to another user: then its modes are up to the administrator.
  if (found.uid === process.getuid?.()) await chmod(path, mode)
}
