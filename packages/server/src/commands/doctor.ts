import { jsonOption, line, type Output } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { failed, type Finding, messageOf, ok } from './doctor/finding.ts'

/** waymark doctor */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check the installation and suggest a fix for each problem')
    .addOption(jsonOption)
    .action(async (output: Output) => {
      const checks = await examine()
      const isWell = checks.every(({ state }) => state !== 'failed')
      console.log(output.json === true ? JSON.stringify({ ok: isWell, checks }) : report(checks))
      // Not process.exit(): the output may be a pipe that still has unwritten data.
      process.exitCode = isWell ? 0 : 1
    })
}

async function examine(): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [
      failed(
        'configuration',
        messageOf(error),
        'correct the variable; docs/configuration.md lists all of them',
      ),
    ]
  }
  const [storage, network] = await Promise.all([
    import('./doctor/storage-checks.ts'),
    import('./doctor/network-checks.ts'),
  ])
  const found = await Promise.all(
    [
      storage.checkFolder,
      storage.checkModes,
      storage.checkDisk,
      storage.checkDatabase,
      storage.checkSecret,
      storage.checkPasskeys,
      storage.checkClock,
      storage.checkFiles,
      storage.checkUploads,
      storage.checkBackups,
      network.checkRedis,
      storage.checkClicks,
      network.checkMail,
      network.checkOidc,
      network.checkDns,
      network.checkReach,
      network.checkProxy,
    ].map((check) => check(config)),
  )
  return [ok('configuration', 'every variable is valid'), ...found]
}

const SIGNS = { ok: '✓', warning: '!', failed: '✗' } as const

function report(checks: readonly Finding[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(({ name, state, detail, fix }) => {
      const finding = line`${SIGNS[state]} ${name.padEnd(width)}  ${detail}`
      return fix === null ? finding : finding + line`\n  ${' '.repeat(width)}  → ${fix}`
    })
    .join('\n')
}
