import { createAdmission } from './admission.ts'

/**
 * The lanes of this process. There is one set for all of it, because its threads and its memory are what the lanes
 * share out.
 */
export const admission = createAdmission({
  /** Checking the password of a sign-in: 30 ms and 19 MiB each. */
  signIn: { capacity: 2, share: 1, queue: 64, waitMs: 5_000 },
  /** Hashing and checking all other passwords. */
  hashing: { capacity: 2, share: 1, queue: 128, waitMs: 10_000 },
})
