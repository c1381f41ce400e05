import { readFile, stat } from 'node:fs/promises'
import { Background } from '../../work/background.ts'
import { OperatorError } from '../../net/errors.ts'
import { HostList } from './host-list.ts'

const CHECK_MS = 1_000

/** The hosts of BLOCKLIST_FILE, read again when the file changes. */
export interface BlocklistFile {
  /** Whether there is such a file. */
  readonly isSet: boolean
  readonly find: (url: string) => string | undefined
  readonly close: () => Promise<void>
}

export async function openBlocklistFile(
  path: string | undefined,
  report: (error: unknown) => void,
): Promise<BlocklistFile> {
  if (path === undefined) return { isSet: false, find: () => undefined, close: () => Promise.resolve() }
  let list = new HostList([])
  let seen = ''
  const refresh = async (): Promise<void> => {
    const { mtimeMs, size, ino } = await stat(path)
    const state = `${mtimeMs} ${size} ${ino}`
    if (state === seen) return
    list = HostList.parse(await readFile(path, 'utf8'))
    seen = state
  }
  try {
    await refresh()
  } catch (error) {
    throw new OperatorError(`BLOCKLIST_FILE names a file that cannot be read: ${path}`, { cause: error })
  }
  // While the file cannot be read, for instance because it is being replaced, the last list stays in force.
  let isReported = false
  const background = new Background((error) => {
    if (!isReported) report(error)
    isReported = true
  })
  background.every(CHECK_MS, async () => {
    await refresh()
    isReported = false
  })
  return { isSet: true, find: (url) => list.find(url), close: () => background.close() }
}
