import { text } from 'node:stream/consumers'
import { ask, UsageError } from '@waymark/cli/terminal'

export interface PasswordOptions {
  readonly password?: string
  readonly passwordStdin?: boolean
}

/** The password of an option, of standard input, or of a prompt that does not show what is typed. */
export async function readPassword({ password, passwordStdin }: PasswordOptions): Promise<string> {
  if (password !== undefined) return password
  if (passwordStdin === true) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY)
    throw new UsageError('give --password, or --password-stdin and the password on standard input')
  return ask('Password: ', true)
}
