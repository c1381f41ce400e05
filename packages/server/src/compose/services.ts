import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Core } from '../modules/module.ts'
import { type Modules, openModules } from './modules.ts'
import { openStorage } from './storage.ts'

/**
 * Storage and modules without a server, for the command line. Separate from app.ts, so that commands do not load code that
 * serves requests.
 */
export async function openServices(
  config: Config,
  log: Logger,
): Promise<{ core: Core; modules: Modules; close: () => Promise<void> }> {
  await using closing = new AsyncDisposableStack()
  const core = await openStorage(config, log, closing)
  const modules = await openModules(core)
  const close = closing.move()
  return { core, modules, close: () => close.disposeAsync() }
}
