import { jsonOption, type Output } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { run } from './command.ts'

/** waymark admin rotate-secret */
export function rotateSecretCommand(admin: Command): void {
  admin
    .command('rotate-secret')
    .description('seal with SECRET_KEY what SECRET_KEY_PREVIOUS has sealed, while the service runs')
    .addOption(jsonOption)
    .action((options: Output) =>
      run(options, async ({ rotateSecret }) => {
        const json = await rotateSecret()
        const text = `Sealed ${json.sealed} secrets anew; ${json.present} had the present secret already. SECRET_KEY_PREVIOUS can be removed.`
        return { text, json }
      }),
    )
}
