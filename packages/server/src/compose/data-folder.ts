import { randomUUID } from 'node:crypto'
import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { makeFolders, makePrivateFolder } from '../storage/db/private-folder.ts'

/** Creates DATA_DIR if needed. The start fails if it cannot be written. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolders(dataDir)
    // Before changing the mode: a folder that cannot be written is not ours.
    const probe = join(dataDir, `.write-check-${randomUUID()}`)
    await writeFile(probe, '', { mode: 0o600 })
    await unlink(probe)
    await makePrivateFolder(dataDir)
  } catch (error) {
    throw new ConfigError('DATA_DIR', `must be a folder that can be written: ${(error as Error).message}`)
  }
}
