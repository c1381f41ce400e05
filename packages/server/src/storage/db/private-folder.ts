import { chmod, mkdir, open, stat } from 'node:fs/promises'

const OTHERS = 0o077

/** Makes the folder if needed and closes it to everyone but its owner. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await closeToOthers(path, 0o700)
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
