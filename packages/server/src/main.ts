import { ConfigError, readConfig } from './config.ts'
import { serve } from './serve.ts'

/** Starts the service; a start that cannot go on says why in one line. */
try {
  await serve(readConfig(process.env))
} catch (error) {
  const isExpected = error instanceof ConfigError || (error as { expected?: boolean }).expected === true
  console.error(isExpected ? `waymark: ${(error as Error).message}` : error)
  process.exit(1)
}
