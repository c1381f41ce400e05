import { jsonOption, line, type Output, table } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { isoTime } from '../work/times.ts'
import { checked, type Named, run, workspaceOf } from './command.ts'

/** waymark domain … */
export function domainCommands(program: Command): void {
  const domain = program.command('domain').description('domains that links and pages may use')
  domain
    .command('add')
    .argument('<name>')
    .option('--email <email>', 'its owner: the first workspace of this user; if omitted, all may use it')
    .option('--workspace <uuid>', 'its owner: another workspace')
    .option('--ignore-case', 'ignore the case of short codes')
    .addOption(jsonOption)
    .action((name: string, options: Output & Named & { ignoreCase?: true }) =>
      run(options, async (core) => {
        const isShared = options.email === undefined && options.workspace === undefined
        const owner = isShared ? undefined : await workspaceOf(core, options)
        const row = await core.recorded(
          () => core.domains.addVerified(name, owner?.uuid ?? null, options.ignoreCase),
          ({ uuid, workspace_uuid }) => ({
            operation: 'domain add',
            workspaces: [workspace_uuid],
            resources: [uuid],
          }),
        )
        const ignore_case = row.ignore_case === 1
        const email = owner?.owner?.email ?? null
        const json = { name: row.name, email, verified: true, ignore_case }
        return { text: line`${row.name} can be used by ${owner?.name ?? 'everyone'}`, json }
      }),
    )
  editCommand(domain)
  domain
    .command('list')
    .addOption(jsonOption)
    .action((options: Output) =>
      run(options, async (core) => {
        const { domains, claims } = await core.domains.listAll()
        const json = [...domains, ...claims].map((row) => ({
          name: row.name,
          shared: row.workspace_uuid === null,
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
        const removed = await core.recorded(
          () => core.domains.removeUnused(name),
          ({ uuid, workspace_uuid }) => ({
            operation: 'domain remove',
            workspaces: [workspace_uuid],
            resources: [uuid],
          }),
        )
        return { text: line`Removed ${removed.name}`, json: { name: removed.name, removed: true } }
      }),
    )
}

const SETTINGS = ['rootUrl', 'notFoundUrl', 'expiredUrl', 'brandName', 'brandColor'] as const
const toField = (option: string): string =>
  option.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** An empty value clears a setting, as in forms. */
function editCommand(domain: Command): void {
  domain
    .command('edit')
    .description('change a domain that all accounts may use; an empty value clears a setting')
    .argument('<name>')
    .option('--root-url <url>', 'destination of the root path')
    .option('--not-found-url <url>', 'destination of unknown addresses')
    .option('--expired-url <url>', 'destination of expired links')
    .option('--brand-name <name>', 'the name on pages for visitors')
    .option('--brand-color <colour>', 'the colour on pages for visitors, such as #1a2b3c')
    .addOption(jsonOption)
    .action((name: string, options: Output & Partial<Record<(typeof SETTINGS)[number], string>>) =>
      run(options, async (core) => {
        const given = SETTINGS.filter((option) => options[option] !== undefined)
        const entries = given.map((option) => [
          toField(option),
          options[option] === '' ? null : options[option],
        ])
        const fields = await checked('editDomain', { name, ...Object.fromEntries(entries) })
        const json = await core.domainSettings.edit(null, fields, undefined)
        return { text: line`Changed ${json.name}`, json }
      }),
    )
}
