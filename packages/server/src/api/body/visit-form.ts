import type { IncomingMessage } from 'node:http'
import type { VisitForm } from '../../visitors/site.ts'
import { STRANGER_LIMITS } from './body-limits.ts'
import { parseBody } from './parse-body.ts'
import { readBody } from './read-body.ts'

const FORM_LIMITS = { ...STRANGER_LIMITS, rawBytes: 4096, multipartBytes: 4096 }

/** Reads the form of a visitor. */
export async function readVisitForm(request: IncomingMessage, tempDir: string): Promise<VisitForm> {
  const raw = await readBody(request, request.headers, FORM_LIMITS, tempDir)
  try {
    const { password, reason } = parseBody(raw)
    return {
      ...(typeof password === 'string' && { password }),
      ...(typeof reason === 'string' && { reason }),
    }
  } finally {
    await raw.dispose()
  }
}
