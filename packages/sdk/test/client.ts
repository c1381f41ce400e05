import { createClient, type Client, type WaymarkError } from '../src/index.ts'
import type { KeyOptions } from '../src/options.ts'
import type { RecordingServer } from './recording-server.ts'

export const secret = 'wms_secret'

/** How long the clients of this file have waited between attempts; nobody really waits. */
export const waits: number[] = []

/** Makes clients of a recording server that throw no dice and do not wait. */
export const clientOf =
  (server: RecordingServer) =>
  (options: Partial<KeyOptions> = {}): Client => {
    waits.length = 0
    return createClient({
      baseUrl: server.baseUrl,
      apiKey: 'wm_key',
      secret,
      random: () => 0,
      wait: (ms) => {
        waits.push(ms)
        return Promise.resolve()
      },
      ...options,
    })
  }

/** The error that a call fails with. */
export const failure = (call: PromiseLike<unknown>): Promise<WaymarkError> =>
  Promise.resolve(call).then(
    () => {
      throw new Error('It did not fail')
    },
    (error: WaymarkError) => error,
  )
