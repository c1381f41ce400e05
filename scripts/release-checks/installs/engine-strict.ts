import { rm } from 'node:fs/promises'
import { cloneFor } from './clone.ts'
import type { Person } from './people.ts'
import { runAs } from './run.ts'
import type { Toolchain } from './toolchains.ts'

/** npm compares the `engines` of packages with the Node that runs npm, and some packages require this one. */
const OLDEST_MAJOR = 24

/** `--engine-strict` works with the Node versions in docs/installing.md, and with no other. */
export async function tryEngineStrict(
  repository: string,
  checkout: string,
  { node, npm, path }: Toolchain,
  person: Person,
): Promise<string[]> {
  cloneFor(person, repository, checkout)
  const command = ['npm', 'ci', '--engine-strict', '--dry-run', '--ignore-scripts']
  const { code, output } = await runAs(person, checkout, path, command)
  await rm(checkout, { recursive: true })
  const isExpected = Number(node.split('.')[0]) >= OLDEST_MAJOR
  console.log(`Node ${node}, npm ${npm}, --engine-strict: ${code === 0 ? 'accepted' : 'rejected'}`)
  if (isExpected ? code === 0 : output.includes('EBADENGINE')) return []
  return [`Node ${node}, npm ${npm}, ${command.join(' ')}: exit code ${code}, ${output.slice(-1000)}`]
}
