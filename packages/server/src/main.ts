import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { prepareDataFolder } from './compose/data-folder.ts'
import { startErrorLine } from './compose/start-error.ts'
import { dataFolder } from './storage/data-folder.ts'

/**
 * Threads for files, names, compression, passwords and pictures. The admission gate's lanes alone could fill Node's
 * default of four, and then reading a file would wait for an image. libuv reads the variable once, at the first use.
 */
function growThreadPool(environment: NodeJS.ProcessEnv): void {
  environment['UV_THREADPOOL_SIZE'] ??= '12'
}

/** Starts the service; a start that cannot go on says why in one line. */
try {
  growThreadPool(process.env)
  const config = readConfig(process.env)
  await prepareDataFolder(config.dataDir)
  // Compiled code is kept with the data: the second start then takes a fraction of the first.
  enableCompileCache(join(config.dataDir, dataFolder.compileCache))
  // The SQLite library asks Node for a report of the process to tell which C library it runs on. With its sockets in
  // it, that asks the name servers who is at the other end of each, one by one, while no request is served. (The
  // types do not know the setting yet.)
  Object.assign(process.report, { excludeNetwork: true })
  const { serve } = await import('./compose/serve.ts')
  await serve(config)
  // Now, and not at the end: a process that is killed would keep nothing.
  flushCompileCache()
} catch (error) {
  const line = startErrorLine(error)
  const asJson = process.argv.includes('--json')
  console.error(line === undefined ? error : asJson ? JSON.stringify({ error: line }) : `waymark: ${line}`)
  process.exit(1)
}
