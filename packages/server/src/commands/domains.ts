import type { Command } from 'commander'
import { isoTime } from '../runtime/times.ts'
import { jsonOption, type Output, run, table, userOf } from './command.ts'

/** waymark domain … */
export function domainCommands(program: Command): void {
  const domain = program.command('domain').description('domains that links and pages may use')
  domain
    .command('add')
    .argument('<name>')
    .option('--email <email>', 'its owner; without, everyone may use it')
    .addOption(jsonOption)
    .action((name: string, options: Output & { email?: string }) =>
      run(options, async (core) => {
        const owner = options.email === undefined ? undefined : await userOf(core, options.email)
        const row = await core.domains.addVerified(name, owner?.uuid ?? null)
        const json = { name: row.name, email: owner?.email ?? null, verified: true }
        return { text: `${row.name} can be used by ${owner?.email ?? 'everyone'}`, json }
      }),
    )
  domain
    .command('list')
    .addOption(jsonOption)
    .action((options: Output) =>
      run(options, async (core) => {
        const { domains, claims } = await core.domains.listAll()
        const json = [...domains, ...claims].map((row) => ({
          name: row.name,
          shared: row.user_uuid === null,
          verified: 'verified_at' in row,
          created_at: isoTime(row.created_at),
        }))
        return {
          text: table(json.map(({ name, verified }) => [name, verified ? 'verified' : 'not verified'])),
          json,
        }
      }),
    )
  domain
    .command('remove')
    .argument('<name>')
    .addOption(jsonOption)
    .action((name: string, options: Output) =>
      run(options, async (core) => {
        const removed = await core.domains.removeUnused(name)
        return { text: `Removed ${removed.name}`, json: { name: removed.name, removed: true } }
      }),
    )
}
