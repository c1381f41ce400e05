import type { AccountsModule } from '../../accounts/users/accounts.module.ts'
import type { Core, Module } from '../module.ts'
import { AbuseService, type BlockRegistry, openBlockRegistry } from './abuse.service.ts'
import { type BlocklistFile, openBlocklistFile } from './host-list.ts'
import { createBlockStore } from './blocks.store.ts'

export interface AbuseModule extends Module {
  readonly service: AbuseService
  readonly registry: BlockRegistry
  readonly listed: BlocklistFile
  /** Whether a destination is blocked or listed, so that links may not lead there. */
  readonly isRejected: (url: string) => boolean
}

/** Tools of operators against abuse: blocked links, hosts and accounts, and the list of hosts in a file. */
export async function abuseModule(core: Core, { workspaces }: AccountsModule): Promise<AbuseModule> {
  const { config, db, changes, closing, mailer, now, reportError } = core
  const store = createBlockStore(db)
  const registry = await openBlockRegistry(store)
  closing.defer(() => registry.close())
  const listed = await openBlocklistFile(config.blocklistFile, reportError)
  closing.defer(() => listed.close())
  changes.onBlocks(registry.refreshSoon)
  changes.onMissed(registry.refreshSoon)
  const contact = config.abuseContact
  const blocksChanged = changes.blocks
  return {
    service: new AbuseService({ db, store, workspaces, mailer, contact, blocksChanged, now }),
    registry,
    listed,
    isRejected: (url) => registry.blockOfUrl(url) !== undefined || listed.find(url) !== undefined,
    routes: [],
    erase: async (workspaceUuid) => {
      if (registry.isSuspended(workspaceUuid)) await store.remove('user', workspaceUuid)
      return false
    },
  }
}
