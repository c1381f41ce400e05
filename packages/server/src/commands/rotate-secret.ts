import { jsonOption, type Output } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { run } from './command.ts'

/** waymark admin rotate-secret */
export function rotateSecretCommand(admin: Command): void {
  admin
    .command('rotate-secret')
    .description('encrypt all secrets with SECRET_KEY instead of SECRET_KEY_PREVIOUS, while the service runs')
    .addOption(jsonOption)
    .action((options: Output) =>
      run(options, async ({ rotateSecret }) => {
        const json = await rotateSecret()
        const text = `Encrypted ${json.sealed} secrets again; ${json.present} already used the current secret. SECRET_KEY_PREVIOUS can be removed.`
        return { text, json }
      }),
    )
}
