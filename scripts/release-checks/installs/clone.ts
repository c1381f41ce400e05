import { execFileSync } from 'node:child_process'
import type { Person } from './people.ts'

/** A clean clone that belongs to a person. */
export function cloneFor({ uid }: Person, repository: string, checkout: string): void {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, checkout])
  if (uid !== process.getuid?.()) execFileSync('chown', ['-R', `${uid}:${uid}`, checkout])
}
