import { ask, FailedCommand, jsonOption, type Output } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { sentDates } from '../clicks/clickhouse/sent-periods.ts'
import type { Config } from '../config.ts'
import { OperatorError } from '../net/errors.ts'
import { type CommandOutput, printOutput, run, type Services } from './command.ts'

/** waymark clicks fetch, waymark clicks forget */
export function clicksCommands(program: Command): void {
  const clicks = program.command('clicks').description('single clicks in ClickHouse')
  clicks
    .command('fetch')
    .description(
      'move all clicks from ClickHouse (CLICKS_URL) back into the database, while the service is stopped; may be interrupted and started again',
    )
    .addOption(jsonOption)
    .action((output: Output) => printOutput(output, fetchBack))
  clicks
    .command('forget')
    .description(
      'without CLICKS_URL: give up the clicks in ClickHouse, so that statistics, exports and archives go on without them; they stay in ClickHouse, and are there again when CLICKS_URL is set',
    )
    .option('--yes', 'do not ask for confirmation on a terminal')
    .addOption(jsonOption)
    .action((options: Output & { yes?: true }) => run(options, (core) => giveUp(core, options)))
}

async function giveUp(
  { clicks, recorded }: Services,
  { yes, json }: Output & { yes?: true },
): Promise<CommandOutput> {
  if (clicks.inClickHouse)
    throw new OperatorError(
      'CLICKS_URL is set: statistics use the clicks in ClickHouse. Unset it first to give them up',
    )
  const period = await clicks.sentPeriod()
  if (period === undefined)
    return {
      text: 'There are no clicks in ClickHouse to give up',
      json: { forgotten: false, from: null, to: null },
    }
  const { from, to } = sentDates(period)
  const isAsked = yes !== true && json !== true && process.stdin.isTTY
  const question = `Statistics, exports and archives will be without the clicks from ${from} to ${to} (UTC). Give them up? [y/N] `
  if (isAsked && !/^y(?:es)?$/i.test((await ask(question)).trim())) throw new FailedCommand('Cancelled')
  await recorded(clicks.giveUpSent, (workspaces) => ({
    operation: 'clicks forget',
    workspaces,
    details: { from, to },
  }))
  return {
    text: `Gave up the clicks from ${from} to ${to} (UTC). They stay in ClickHouse; setting CLICKS_URL brings them back.`,
    json: { forgotten: true, from, to },
  }
}

async function fetchBack(config: Config): Promise<CommandOutput> {
  const { clicksUrl, databaseUrl, dataDir } = config
  if (clicksUrl === undefined)
    throw new OperatorError('CLICKS_URL is not set: it names the ClickHouse to fetch from')
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
