import { readFile, stat } from 'node:fs/promises'
import { domainToASCII } from 'node:url'
import { OperatorError } from '../../net/errors.ts'
import { Background } from '../../work/background.ts'

/** The ASCII form of a host name or address; a leading dot (or `*.`) includes all its subdomains. */
export function readHostPattern(text: string): string | undefined {
  const typed = text.trim().toLowerCase().replace(/^\*\./, '.').replace(/\.$/, '')
  const isSuffix = typed.startsWith('.')
  const name = isSuffix ? typed.slice(1) : typed
  const ascii = name.startsWith('[') ? name : domainToASCII(name)
  return ascii === '' ? undefined : `${isSuffix ? '.' : ''}${ascii}`
}

/** Hosts and suffixes. The cost of a look-up depends on the number of labels, not on the length of the list. */
export class HostList {
  readonly #patterns: ReadonlySet<string>

  constructor(patterns: Iterable<string>) {
    this.#patterns = new Set(patterns)
  }

  /** One pattern per line; `#` starts a comment. In the format of a hosts file, the address is ignored. */
  static parse(text: string): HostList {
    const patterns: string[] = []
    for (const line of text.split('\n')) {
      const word = (line.split('#', 1)[0] ?? '').trim().split(/\s+/).at(-1) ?? ''
      const pattern = readHostPattern(word)
      if (pattern !== undefined) patterns.push(pattern)
    }
    return new HostList(patterns)
  }

  get size(): number {
    return this.#patterns.size
  }

  /** The pattern that matches the host of a URL. */
  find(url: string): string | undefined {
    if (this.#patterns.size === 0) return undefined
    const host = URL.parse(url)?.hostname.replace(/\.$/, '')
    if (host === undefined) return undefined
    if (this.#patterns.has(host)) return host
    for (let at = 0; at !== -1; at = host.indexOf('.', at + 1)) {
      const suffix = at === 0 ? `.${host}` : host.slice(at)
      if (this.#patterns.has(suffix)) return suffix
    }
    return undefined
  }
}

const CHECK_MS = 1_000

/** The hosts of BLOCKLIST_FILE, reloaded when the file changes. */
export interface BlocklistFile {
  /** Whether a file is configured. */
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
  // While the file cannot be read, for example because it is being replaced, the last list stays in force.
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
