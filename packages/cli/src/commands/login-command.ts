import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { clientOf, removeCredentials, saveCredentials } from '../credentials.ts'
import { print } from '../print.ts'
import { ask, jsonOption, line, type Output, UsageError } from '../terminal/index.ts'
import { withExamples } from './examples.ts'

interface LoginOptions extends Output {
  readonly url?: string
  readonly apiKey?: string
  readonly secret?: string
  readonly secretStdin?: boolean
}

/** waymark login, waymark logout */
export function addLogin(program: Command): void {
  const login = program
    .command('login')
    .description('store the address of an instance and an API key for later commands')
    .option('--url <url>', 'address of the instance, such as https://go.example.com')
    .option('--api-key <key>', 'API key, wm_…')
    .option('--secret <secret>', 'secret of the key, wms_…; other users of this machine may see it')
    .option('--secret-stdin', 'read the secret from standard input')
    .addOption(jsonOption)
  withExamples(login, [
    'waymark login --url https://go.example.com',
    'waymark login --url https://go.example.com --api-key wm_… --secret-stdin < secret.txt',
  ]).action((options: LoginOptions) => print(options, () => signIn(options)))
  program
    .command('logout')
    .description('delete the stored API key')
    .addOption(jsonOption)
    .action((options: Output) =>
      print(options, async () => {
        const file = await removeCredentials()
        return { text: line`Removed ${file}`, json: { file, removed: true } }
      }),
    )
}

async function signIn(options: LoginOptions) {
  const credentials = {
    url: addressOf(await given('--url', options.url, 'Address of the instance: ')),
    apiKey: await given('--api-key', options.apiKey, 'API key: '),
    secret:
      options.secretStdin === true
        ? (await text(process.stdin)).trim()
        : await given('--secret', options.secret, 'Secret: ', true),
  }
  // A wrong key is not stored: reading the profile requires both the key and its secret.
  const { data } = await clientOf(credentials).profile()
  const file = await saveCredentials(credentials)
  const { url } = credentials
  return {
    text: line`Logged in to ${url} as ${data.email}. The key is in ${file}`,
    json: { url, email: data.email, api_key: credentials.apiKey, file },
  }
}

async function given(flag: string, value: string | undefined, question: string, isSecret = false) {
  const answer = (value ?? (process.stdin.isTTY ? await ask(question, isSecret) : '')).trim()
  if (answer === '') throw new UsageError(`Missing ${flag}`)
  return answer
}

function addressOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--url must start with http:// or https://')
  return url.href.replace(/\/$/, '')
}
