import { chmod, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const OTHERS = 0o077

/** Creates the folder if needed and restricts it to its owner. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolders(path)
  await closeToOthers(path, 0o700)
}

/**
 * Creates the folder and its parents one by one. Node's recursive mkdir never ends if a parent exists but the kernel reports
 * that it does not, as in /proc.
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
      // Another process may have created it meanwhile.
      if (again.code !== 'EEXIST') throw again
    })
  }
}

/** Creates an empty file if needed and restricts it to its owner. */
export async function makePrivateFile(path: string): Promise<void> {
  const file = await open(path, 'a', 0o600)
  await file.close()
  await closeToOthers(path, 0o600)
}

async function closeToOthers(path: string, mode: number): Promise<void> {
  const found = await stat(path)
  if ((found.mode & OTHERS) === 0) return
  // A mounted volume may belong to another user: then its administrator decides on modes.
  if (found.uid === process.getuid?.()) await chmod(path, mode)
}
