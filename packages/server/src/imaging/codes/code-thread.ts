import { CodeError } from '@waymark/codes'
import type { Bars, Symbology } from '@waymark/codes/barcodes'
import { bufferOf, type ThreadOptions, Threads } from '../../work/threads.ts'
import type { CodeFault } from './code.worker.ts'
import type { Grade } from './grade.ts'
import type { CodeDrawing, RenderedCode } from './render-code.ts'
import type * as work from './code.worker.ts'

/** Decoding, drawing and slow encoding in a thread, so that requests are served meanwhile. */
export interface CodeThread {
  /** The text in a PNG, or undefined if it contains no code of that kind. */
  read(png: Uint8Array, symbology: Symbology | 'qr'): Promise<string | undefined>
  /** How well a PNG can be read in twelve poor conditions. */
  grade(
    png: Uint8Array,
    text: string,
    symbology: Symbology | 'qr',
  ): Promise<Pick<Grade, 'letter' | 'reasons'>>
  encode(text: string, symbology: Symbology): Promise<Bars>
  draw(code: CodeDrawing): Promise<RenderedCode>
  close(): Promise<void>
}

/** A thread uses forty megabytes and takes a fifth of a second to start. */
const IDLE_MS = 300_000
const TASK_MS = 20_000

export function openCodeThread(options: Partial<ThreadOptions> = {}): CodeThread {
  const thread = new Threads<typeof work>(new URL('./code.worker.ts', import.meta.url), {
    idleMs: IDLE_MS,
    limitMs: TASK_MS,
    ...options,
  })
  return {
    read: (png, symbology) => thread.run('read', [png, symbology]),
    grade: (png, text, symbology) => thread.run('grade', [png, text, symbology]),
    encode: async (text, symbology) => resultOf(await thread.run('encode', [text, symbology])),
    async draw(code) {
      const { bytes, contentType } = resultOf(await thread.run('draw', code))
      return { bytes: bufferOf(bytes), contentType }
    },
    close: () => thread.close(),
  }
}

function resultOf<Result extends object>(reply: Result | CodeFault): Result {
  if ('fault' in reply) throw new CodeError(reply.fault, reply.message)
  return reply
}
