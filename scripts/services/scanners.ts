import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { needProgram } from './programs.ts'

const run = promisify(execFile)

/** The text that a scanner without code of the product reads; undefined if it finds none. */
export type Scanner = (png: Uint8Array) => Promise<string | undefined>

/** The scanners of this machine, by name: ZXing (C++) and ZBar. */
export interface Scanners {
  readonly zxing: Scanner
  readonly zbar: Scanner
}

const onFile = async <Result>(png: Uint8Array, use: (file: string) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-scan-'))
  try {
    const file = join(folder, 'code.png')
    await writeFile(file, png)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Finds Debian's two scanners, and installs them if possible. */
export async function needScanners(): Promise<Scanners> {
  const zxing = await needProgram(['ZXingReader'], 'zxing-cpp-tools')
  const zbar = await needProgram(['zbarimg'], 'zbar-tools')
  return {
    zxing: (png) =>
      onFile(png, async (file) => {
        const { stdout } = await run(zxing, ['-bytes', file], { encoding: 'buffer' }).catch(() => ({
          stdout: Buffer.alloc(0),
        }))
        return stdout.length === 0 ? undefined : stdout.toString('utf8')
      }),
    zbar: (png) =>
      onFile(png, async (file) => {
        // Raw bytes: otherwise ZBar guesses among the character sets of East Asia first.
        const { stdout } = await run(zbar, ['-q', '--raw', '-Sbinary', file], { encoding: 'buffer' }).catch(
          () => ({ stdout: Buffer.alloc(0) }),
        )
        return stdout.length === 0 ? undefined : stdout.toString('utf8')
      }),
  }
}
