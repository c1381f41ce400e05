import { Background } from '../../work/background.ts'
import type { BlockRow, BlockStore } from './blocks.store.ts'
import { HostList } from './host-list.ts'

/** How soon a process sees what another one, or the command line, has blocked. */
const REFRESH_MS = 1_000

/** What responses show of a blocked link. */
export interface Block {
  readonly reason: string | null
  readonly createdAtMs: number
}

/** A link as far as blocks are concerned. */
export interface Blockable {
  readonly uuid: string
  readonly workspaceUuid: string
  /** Every URL that it may lead to; only called while hosts are blocked. */
  readonly urls: () => readonly string[]
}

/** All blocks, in memory: they are few, and every look-up of a link asks for them. */
export interface BlockRegistry {
  readonly blockOf: (link: Blockable) => Block | undefined
  /** The block of a destination's host. */
  readonly blockOfUrl: (url: string) => Block | undefined
  readonly isSuspended: (workspaceUuid: string) => boolean
  readonly refresh: () => Promise<void>
  readonly refreshSoon: () => void
  /** Tells when blocks have changed: what was decided by the old ones is to be forgotten. */
  readonly onChange: (listener: () => void) => void
  readonly close: () => Promise<void>
}

export async function openBlockRegistry(
  store: Pick<BlockStore, 'version' | 'listAll'>,
): Promise<BlockRegistry> {
  const listeners: (() => void)[] = []
  let blocks: ReadonlyMap<string, BlockRow> = new Map()
  let hosts = new HostList([])
  let version = -1

  const refresh = async (): Promise<void> => {
    const current = await store.version()
    if (current === version) return
    const rows = await store.listAll()
    blocks = new Map(rows.map((row) => [row.subject, row]))
    hosts = new HostList(rows.filter(({ kind }) => kind === 'host').map(({ subject }) => subject))
    version = current
    for (const listener of listeners) listener()
  }
  await refresh()
  // While the database is unavailable the blocks known so far stay in force.
  const background = new Background(() => {})
  background.every(REFRESH_MS, refresh)

  const blockOfUrl = (url: string): Block | undefined => {
    const pattern = hosts.find(url)
    return pattern === undefined ? undefined : toBlock(blocks.get(pattern))
  }
  return {
    blockOf({ uuid, workspaceUuid, urls }) {
      if (blocks.size === 0) return undefined
      const own = toBlock(blocks.get(uuid)) ?? toBlock(blocks.get(workspaceUuid))
      if (own !== undefined || hosts.size === 0) return own
      for (const url of urls()) {
        const block = blockOfUrl(url)
        if (block !== undefined) return block
      }
      return undefined
    },
    blockOfUrl,
    isSuspended: (workspaceUuid) => blocks.has(workspaceUuid),
    refresh,
    refreshSoon: () => background.start(refresh),
    onChange: (listener) => void listeners.push(listener),
    close: () => background.close(),
  }
}

const toBlock = (row: BlockRow | undefined): Block | undefined =>
  row && { reason: row.reason, createdAtMs: row.created_at }
