import { rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations, type OperationName } from '@waymark/contract'
import { openMailbox } from '../../e2e/support/mailbox.ts'
import { openReceiver } from '../../e2e/support/receiver.ts'
import { startWaymark, type Waymark } from '../../e2e/support/waymark.ts'
import { CLIENT, openProvider } from '../services/openid-provider.ts'
import { Recorder } from './recorder.ts'
import { playScenario } from './scenario.ts'

/** The public address of the server. */
export const PUBLIC = 'https://go.example.com'

interface Played {
  readonly waymark: Waymark
  readonly recorder: Recorder
  /** Addresses of this run, and what stands for them in the examples. */
  readonly addresses: Readonly<Record<string, string>>
}

/** Plays the scenario on a server that is started for it, with `settings`, and calls `read` before it stops. */
export async function playOnServer(
  settings: Record<string, string>,
  read: (played: Played) => Promise<void> | void,
): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-scenario-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  const [mailbox, receiver, provider] = await Promise.all([openMailbox(), openReceiver(), openProvider()])
  opened.defer(() => mailbox.close())
  opened.defer(() => receiver.close())
  opened.defer(() => provider.close())
  provider.allow(PUBLIC)
  const waymark = await startWaymark({
    DATA_DIR: dataDir,
    BASE_URL: PUBLIC,
    SMTP_URL: mailbox.url,
    WEBHOOK_ALLOW_PRIVATE: 'on',
    ...CLIENT,
    OIDC_ISSUER: provider.issuer,
    OIDC_NAME: 'Example ID',
    ...settings,
  })
  opened.defer(async () => await waymark.stop())
  const recorder = new Recorder(waymark.url, PUBLIC)
  const { url } = waymark
  const receiverUrl = `${receiver.url}/waymark`
  const cli = (...words: string[]) => waymark.cli(...words)
  await playScenario(recorder, { url, receiverUrl, mails: mailbox.mails, provider, cli })
  const missing = Object.keys(operations).filter((name) => !recorder.examples.has(name as OperationName))
  if (missing.length > 0) throw new Error(`scripts/examples/scenario.ts does not call ${missing.join(', ')}`)
  const addresses = {
    [receiverUrl]: 'https://example.com/waymark',
    [provider.issuer]: 'https://id.example.com',
    [url]: PUBLIC,
  }
  await read({ waymark, recorder, addresses })
}
