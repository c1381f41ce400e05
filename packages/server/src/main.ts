import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { prepareDataFolder } from './compose/data-folder.ts'
import { startErrorLine } from './compose/start-error.ts'
import { dataFolder } from './storage/data-folder.ts'

/**
 * Threads for files, names, compression, passwords and pictures. The admission lanes alone could fill Node's default of
 * four, and then reading a file would wait for an image. libuv reads the variable once, at the first use.
 */
function growThreadPool(environment: NodeJS.ProcessEnv): void {
  environment['UV_THREADPOOL_SIZE'] ??= '12'
}

/** Starts the service; a failed start prints the reason in one line. */
try {
  growThreadPool(process.env)
  const config = readConfig(process.env)
  await prepareDataFolder(config.dataDir)
  // Compiled code is cached in the data folder: the second start takes a fraction of the time of the first.
  enableCompileCache(join(config.dataDir, dataFolder.compileCache))
  // The SQLite library requests a report of the process to find out the C library. With its sockets, that would look up
  // the name of each peer, one by one, while no request is served. (Node's types lack this setting.)
  Object.assign(process.report, { excludeNetwork: true })
  const { serve } = await import('./compose/serve.ts')
  await serve(config)
  // Now instead of at the end: a killed process would save nothing.
  flushCompileCache()
} catch (error) {
  const line = startErrorLine(error)
  const asJson = process.argv.includes('--json')
  console.error(line === undefined ? error : asJson ? JSON.stringify({ error: line }) : `waymark: ${line}`)
  process.exit(1)
}
