import { setTimeout as delay } from 'node:timers/promises'
import { jsonOption, type Output } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { OperatorError } from '../runtime/operator-error.ts'
import { printOutput } from './command.ts'

/** A storage server that starts together with this has half a minute to be there. */
const ATTEMPTS = 30
const PAUSE_MS = 1_000

/** waymark make-bucket */
export function makeBucketCommand(program: Command): void {
  program
    .command('make-bucket')
    .description('create the bucket that S3_URL names, if it does not exist')
    .addOption(jsonOption)
    .action((options: Output) =>
      printOutput(options, async ({ s3Url }) => {
        if (s3Url === undefined) throw new OperatorError('S3_URL is not set: it names the bucket')
        const { makeBucket } = await import('../storage/blobs/s3.ts')
        const created = await persistently(() => makeBucket(s3Url))
        return { text: created ? 'The bucket is created' : 'The bucket exists', json: { created } }
      }),
    )
}

async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await delay(PAUSE_MS)
    }
  }
}
