import { jsonOption, type Output } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { OperatorError } from '../net/errors.ts'
import { type CommandOutput, printOutput } from './command.ts'

/** waymark clicks fetch */
export function clicksCommands(program: Command): void {
  program
    .command('clicks')
    .description('single clicks in ClickHouse')
    .command('fetch')
    .description(
      'move all clicks from ClickHouse (CLICKS_URL) back into the database, while the service is stopped; may be interrupted and started again',
    )
    .addOption(jsonOption)
    .action((output: Output) => printOutput(output, fetchBack))
}

async function fetchBack(config: Config): Promise<CommandOutput> {
  const { clicksUrl, databaseUrl, dataDir } = config
  if (clicksUrl === undefined) throw new OperatorError('CLICKS_URL is not set: there is nothing to fetch')
  const [{ openDatabase }, { openClickHouse }, { ClickHouseLease }, { fetchClicks }] = await Promise.all([
    import('../storage/db/open.ts'),
    import('../clicks/clickhouse/client.ts'),
    import('../clicks/clickhouse/lease.ts'),
    import('../clicks/clickhouse/fetch.ts'),
  ])
  const db = await openDatabase({ url: databaseUrl, dataDir })
  const lease = new ClickHouseLease(db)
  try {
    const clicks = await fetchClicks({ db, clickhouse: openClickHouse(clicksUrl), lease })
    const text = `Fetched ${clicks} clicks. Unset CLICKS_URL before you start the service.`
    return { text, json: { clicks } }
  } finally {
    await lease.close()
    await db.close()
  }
}
