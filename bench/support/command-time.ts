import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Prints what the process has used, as its last act. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  process.stderr.write(JSON.stringify({ ms: (userCPUTime + systemCPUTime) / 1000, memoryMb: maxRSS / 1024 }) + '\\n') })`,
)}`

export interface CommandCost {
  /** Processor time of all threads, from the start to the end. */
  readonly ms: number
  readonly memoryMb: number
}

/** What a command of the package costs with these flags of the engine. */
export async function commandCost(
  program: string,
  words: readonly string[],
  dataDir: string,
  flags: readonly string[],
): Promise<CommandCost> {
  const { stderr } = await run(process.execPath, [...flags, '--import', REPORT, program, ...words], {
    env: { ...process.env, DATA_DIR: dataDir },
  })
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as CommandCost
}
