import { addressBucket } from '../../net/client-address.ts'
import { BODY_LIMITS, STRANGER_LIMITS } from '../body/body-limits.ts'
import { readBody } from '../body/read-body.ts'
import { bodiesIn, type UploadBudget } from '../body/temp-folder.ts'
import type { Step } from '../call.ts'

export interface BodyDependencies {
  /** The disk budget for bodies that are not verified yet. */
  readonly uploads: UploadBudget
  readonly dataDir: string
}

/** Digests the body of a write in one bounded pass, without parsing it; files go to a temporary folder. */
export const receiveBody = ({ uploads, dataDir }: BodyDependencies): Step => {
  const tempDir = bodiesIn(dataDir)
  return async (call, next) => {
    const { request, reply, operation, caller, proof, facts } = call
    if (!call.isWrite) return next()
    // Send 100 Continue only after the headers have been validated.
    const goAhead = (): void => {
      if (/100-continue/i.test(request.headers.expect ?? '')) reply.raw.writeContinue()
    }
    // Without credentials or with a public key alone, a client can send a small form.
    const isStranger = caller === undefined || caller.unsigned === true
    const { fileBytes } = operation
    const largest = fileBytes === undefined ? BODY_LIMITS : { ...BODY_LIMITS, fileBytes: fileBytes + 1 }
    const limits = isStranger ? STRANGER_LIMITS : largest
    const names = [
      `address ${addressBucket(facts.address)}`,
      ...(proof === undefined ? [] : [`key ${proof.apiKey}`]),
    ]
    call.raw = await readBody(request.raw, request.headers, limits, tempDir, goAhead, uploads.shareOf(names))
    try {
      return await next()
    } finally {
      await call.raw.dispose()
    }
  }
}
