import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Client, createClient } from '@waymark/sdk'
import { FailedCommand } from './terminal/index.ts'

/** The instance that commands call, and the key that they sign with. */
export interface Credentials {
  readonly url: string
  readonly apiKey: string
  readonly secret: string
}

/** An instance with an access token instead of a key. */
type TokenCredentials = Pick<Credentials, 'url'> & { readonly token: string }

type Environment = Readonly<Record<string, string | undefined>>

/** Where `waymark login` stores them. */
const credentialsPath = (environment: Environment): string =>
  join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'waymark', 'credentials.json')

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

async function readKept(path: string): Promise<Partial<Credentials>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Credentials>
  } catch (error) {
    if (isMissing(error)) return {}
    throw new FailedCommand(`${path} cannot be read: run waymark login again`, { cause: error })
  }
}

/** From the environment, or from the file that `waymark login` wrote. */
export async function readCredentials(
  environment: Environment = process.env,
): Promise<Credentials | TokenCredentials> {
  const { WAYMARK_URL, WAYMARK_TOKEN, WAYMARK_API_KEY, WAYMARK_SECRET } = environment
  const isComplete = Boolean(WAYMARK_URL && (WAYMARK_TOKEN || (WAYMARK_API_KEY && WAYMARK_SECRET)))
  const kept = isComplete ? {} : await readKept(credentialsPath(environment))
  const url = WAYMARK_URL || kept.url
  if (url && WAYMARK_TOKEN) return { url, token: WAYMARK_TOKEN }
  // A key and its secret belong together: never take them from two places.
  const [apiKey, secret] = WAYMARK_API_KEY ? [WAYMARK_API_KEY, WAYMARK_SECRET] : [kept.apiKey, kept.secret]
  if (!url || !apiKey || !secret)
    throw new FailedCommand(
      'Run waymark login first, or set WAYMARK_URL and WAYMARK_TOKEN (or WAYMARK_API_KEY and WAYMARK_SECRET)',
    )
  return { url, apiKey, secret }
}

/** Makes the file readable only by its owner, even if it already existed. */
export async function saveCredentials(credentials: Credentials): Promise<string> {
  const path = credentialsPath(process.env)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await chmod(path, 0o600).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  await writeFile(path, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  return path
}

/** Deletes them; returns the path of the file. */
export async function removeCredentials(): Promise<string> {
  const path = credentialsPath(process.env)
  await rm(path, { force: true })
  return path
}

/** A client of the instance. */
export const clientOf = (
  { url, ...credentials }: Credentials | TokenCredentials,
  deadlineMs?: number,
): Client => createClient({ baseUrl: url, ...credentials, deadlineMs })

/** The client of this command. */
export const connect = async (): Promise<Client> => clientOf(await readCredentials())
