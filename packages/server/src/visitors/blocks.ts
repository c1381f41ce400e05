import type { Reads } from '../storage/db/database.ts'
import type { BlockRow } from '../storage/db/tables.ts'
import { BLOCKS_VERSION, readVersion } from '../storage/db/totals.ts'
import { Background } from '../work/background.ts'
import { HostList } from './host-list.ts'

/** How soon one of the processes notices blocks of the command line; it tells the others. */
const REFRESH_MS = 1_000

/** A block as responses show it. */
export interface Block {
  readonly reason: string | null
  readonly createdAtMs: number
}

/** The parts of a link that operators can block. */
export interface Blockable {
  readonly uuid: string
  readonly workspaceUuid: string
  /** Every possible destination; only called while hosts are blocked. */
  readonly urls: () => readonly string[]
}

/** All blocks, in memory: they are few, and every look-up of a link checks them. */
export interface BlockRegistry {
  readonly blockOf: (link: Blockable) => Block | undefined
  /** The block of a destination's host. */
  readonly blockOfUrl: (url: string) => Block | undefined
  readonly isSuspended: (workspaceUuid: string) => boolean
  readonly refresh: () => Promise<void>
  readonly refreshSoon: () => void
  /** Calls back when blocks have changed, so that cached decisions can be dropped. */
  readonly onChange: (listener: () => void) => void
  readonly close: () => Promise<void>
}

/** What operators have blocked. */
export interface StoredBlocks {
  /** Grows with every change. */
  version(): Promise<number>
  listAll(): Promise<BlockRow[]>
}

export const storedBlocks = (db: Reads): StoredBlocks => ({
  version: () => readVersion(db, BLOCKS_VERSION),
  listAll: () => db.sql.selectFrom('blocks').selectAll().orderBy('subject').execute(),
})

export async function openBlockRegistry(
  store: StoredBlocks,
  /** Called with a change that no message has announced. */
  noticed: () => void = () => undefined,
): Promise<BlockRegistry> {
  const listeners: (() => void)[] = []
  let blocks: ReadonlyMap<string, BlockRow> = new Map()
  let hosts = new HostList([])
  let version = -1

  /** Returns whether there was a change. */
  const read = async (): Promise<boolean> => {
    const current = await store.version()
    if (current === version) return false
    const rows = await store.listAll()
    blocks = new Map(rows.map((row) => [row.subject, row]))
    hosts = new HostList(rows.filter(({ kind }) => kind === 'host').map(({ subject }) => subject))
    version = current
    for (const listener of listeners) listener()
    return true
  }
  const refresh = async (): Promise<void> => void (await read())
  await refresh()
  // While the database is unavailable, the last known blocks stay in force.
  const background = new Background(() => {})
  background.every(REFRESH_MS, async () => {
    if (await read()) noticed()
  })

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
