import { setTimeout as delay } from 'node:timers/promises'
import { jsonOption, type Output } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { OperatorError } from '../net/errors.ts'
import { UnavailableError } from '../storage/db/unavailable.ts'
import { printOutput } from './command.ts'

/** A storage server that starts at the same time has half a minute to become available. */
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
        const created = await createBucket(s3Url)
        return { text: created ? 'The bucket is created' : 'The bucket exists', json: { created } }
      }),
    )
}

/** Creates the bucket when its server is available; returns false if it exists. */
export async function createBucket(s3Url: string, pause = () => delay(PAUSE_MS)): Promise<boolean> {
  const { makeBucket } = await import('../storage/blobs/s3.ts')
  // Leaves out the credentials in the URL.
  const { host } = new URL(s3Url)
  for (let attempt = 1; ; attempt++) {
    try {
      return await makeBucket(s3Url)
    } catch (error) {
      if (!(error instanceof UnavailableError))
        throw new OperatorError(
          `the S3 server at ${host} rejects the bucket, check S3_URL: ${(error as Error).message}`,
          { cause: error },
        )
      if (attempt === ATTEMPTS)
        throw new OperatorError(`the S3 server at ${host} cannot be reached: check S3_URL`, { cause: error })
      await pause()
    }
  }
}
