import { jsonOption, line, type Output, table } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { OperatorError } from '../net/errors.ts'
import { isoTime } from '../work/times.ts'
import { type Named, run, type Services, warningOf, workspaceOf } from './command.ts'

const LINKS_AT_ONCE = 1_000

type WithReason = Output & { readonly reason?: string }

/** waymark admin link …, host …, user suspend|resume, links --listed */
export function abuseCommands(admin: Command, user: Command): void {
  linkCommands(admin)
  hostCommands(admin)
  suspendCommands(user)
  listedCommand(admin)
}

async function abusedLink({ links }: Services, named: string) {
  const row = await links.service.findForOperator(named)
  return { ...row, short_url: links.service.shortUrl(row) }
}

function linkCommands(admin: Command): void {
  const link = admin.command('link').description('block short links')
  link
    .command('block')
    .description('block a link: visitors see a notice, and the owner is notified by mail')
    .argument('<link>', 'short URL, short code or uuid')
    .option('--reason <text>', 'shown to its owner')
    .addOption(jsonOption)
    .action((named: string, options: WithReason) =>
      run(options, async (core) => {
        const found = await abusedLink(core, named)
        const reason = options.reason ?? null
        const { uuid, short_url, workspace_uuid } = found
        await core.recorded(
          () => core.abuse.service.blockLink(found, reason),
          () => ({ operation: 'link block', workspaces: [workspace_uuid], resources: [uuid] }),
        )
        const mailed = await warningOf(core.abuse.service.notifyOfBlock(found, reason))
        const json = { uuid, short_url, blocked: true, reason }
        return { text: line`Blocked ${short_url}`, json, ...mailed }
      }),
    )
  link
    .command('unblock')
    .argument('<link>', 'short URL, short code or uuid')
    .addOption(jsonOption)
    .action((named: string, options: Output) =>
      run(options, async (core) => {
        const found = await abusedLink(core, named)
        const { uuid, short_url, workspace_uuid } = found
        await core.recorded(
          () => core.abuse.service.unblockLink(found),
          () => ({ operation: 'link unblock', workspaces: [workspace_uuid], resources: [uuid] }),
        )
        return { text: line`Unblocked ${short_url}`, json: { uuid, short_url, blocked: false } }
      }),
    )
}

function hostCommands(admin: Command): void {
  const host = admin.command('host').description('block hosts as destinations')
  host
    .command('block')
    .description('block all links to a host: visitors see a notice')
    .argument('<host>', 'evil.example, or .evil.example to include its subdomains')
    .option('--reason <text>', 'shown to owners of links')
    .addOption(jsonOption)
    .action((name: string, options: WithReason) =>
      run(options, async (core) => {
        const reason = options.reason ?? null
        const blocked = await core.abuse.service.blockHost(name, reason)
        return { text: line`Blocked ${blocked}`, json: { host: blocked, blocked: true, reason } }
      }),
    )
  host
    .command('unblock')
    .argument('<host>')
    .addOption(jsonOption)
    .action((name: string, options: Output) =>
      run(options, async (core) => {
        const unblocked = await core.abuse.service.unblockHost(name)
        return { text: line`Unblocked ${unblocked}`, json: { host: unblocked, blocked: false } }
      }),
    )
  host
    .command('list')
    .addOption(jsonOption)
    .action((options: Output) =>
      run(options, async (core) => {
        const rows = await core.abuse.service.listHosts()
        const json = rows.map(({ subject, reason, created_at }) => ({
          host: subject,
          reason,
          created_at: isoTime(created_at),
        }))
        return { text: table(json.map((row) => [row.host, row.created_at, row.reason ?? ''])), json }
      }),
    )
}

function suspendCommands(user: Command): void {
  user
    .command('suspend')
    .description('suspend an account or a workspace: its links and pages show a notice')
    .option('--email <email>', 'the account: its first workspace, and signing in')
    .option('--workspace <uuid>', 'another workspace')
    .option('--reason <text>', 'part of the mail to the account')
    .addOption(jsonOption)
    .action((options: WithReason & Named) =>
      run(options, async (core) => {
        const { uuid, name, owner, what } = await workspaceOf(core, options)
        const reason = options.reason ?? null
        await core.recorded(
          () => core.abuse.service.suspend(uuid, reason),
          () => ({ operation: 'user suspend', workspaces: [uuid], resources: [uuid] }),
        )
        const mailed = await warningOf(core.abuse.service.notifyOfSuspension(owner, what, reason))
        const json = { email: owner?.email ?? null, suspended: true }
        return { text: line`Suspended ${name}`, json, ...mailed }
      }),
    )
  user
    .command('resume')
    .description('undo a suspension')
    .option('--email <email>')
    .option('--workspace <uuid>')
    .addOption(jsonOption)
    .action((options: Output & Named) =>
      run(options, async (core) => {
        const { uuid, name, owner } = await workspaceOf(core, options)
        await core.recorded(
          () => core.abuse.service.resume(uuid, name),
          () => ({ operation: 'user resume', workspaces: [uuid], resources: [uuid] }),
        )
        return { text: line`Resumed ${name}`, json: { email: owner?.email ?? null, suspended: false } }
      }),
    )
}

function listedCommand(admin: Command): void {
  admin
    .command('links')
    .description('list links whose destination is in BLOCKLIST_FILE')
    .requiredOption('--listed', 'only these')
    .addOption(jsonOption)
    .action((options: Output) =>
      run(options, async (core) => {
        if (!core.abuse.listed.isSet) throw new OperatorError('BLOCKLIST_FILE is not set')
        const json: {
          uuid: string
          short_url: string
          link: string
          listed: string
          email: string | null
        }[] = []
        for (let after = ''; ;) {
          const rows = await core.links.store.listAnyAfter(after, LINKS_AT_ONCE)
          for (const row of rows) {
            const listed = core.links.service.destinationsOf(row).map(core.abuse.listed.find).find(Boolean)
            if (listed === undefined) continue
            const { email = null } = (await core.workspaces.oldestOwner(row.workspace_uuid)) ?? {}
            const short_url = core.links.service.shortUrl(row)
            json.push({ uuid: row.uuid, short_url, link: row.url, listed, email })
          }
          const last = rows.at(-1)
          if (last === undefined) break
          after = last.uuid
        }
        return { text: table(json.map((row) => [row.short_url, row.link, row.email ?? ''])), json }
      }),
    )
}
