import { join } from 'node:path'
import type { Logger } from 'pino'
import { dataFolder } from '../../storage/data-folder.ts'
import { Spool } from './spool.ts'

interface SpoolSettings {
  readonly dataDir: string
  readonly clickFsync: boolean
}

/** Opens a spool of this process. `owner` is unique to it. */
export const openSpool = ({ dataDir, clickFsync }: SpoolSettings, owner: string, log: Logger): Spool =>
  new Spool({
    folder: join(dataDir, dataFolder.spool),
    owner,
    sync: clickFsync,
    onFault: (fault, lostClicks) => {
      if (fault === undefined) log.info({ lostClicks }, 'the click spool can be written again')
      else log.error({ err: fault, lostClicks }, 'the click spool cannot be written; redirects go on')
    },
  })
