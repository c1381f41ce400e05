import assert from 'node:assert/strict'
import type { Account, Waymark } from '../../e2e/support/waymark.ts'

/** Creates an account with a key on the command line: over HTTP, sign-ups must come from `BASE_URL`. */
export async function createAccount(waymark: Waymark): Promise<Account> {
  const [email, password] = ['owner@example.com', 'Correct-horse-1']
  const created = await waymark.cli('user', 'create', '--email', email, '--password', password)
  assert.equal(created.code, 0, created.stderr)
  const { stdout } = await waymark.cli('key', 'create', '--email', email, '--json')
  const { api_key: apiKey = '', secret = '' } = JSON.parse(stdout) as Record<string, string>
  return { email, password, apiKey, secret }
}
