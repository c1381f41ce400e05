import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeContract } from '@waymark/contract/components'
import { factsModule, operationFacts } from './operation-facts.ts'
import { pythonModule } from './python-module.ts'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

const OXFMT = join(root, 'node_modules/oxfmt/bin/oxfmt')

/** Formats a text like `npm run format`. */
export const formatted = (path: string, text: string): string =>
  execFileSync(process.execPath, [OXFMT, '--stdin-filepath', path], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })

/** Every generated file of the clients by path. The generator writes them, and a test compares them. */
export const generatedFiles = (): ReadonlyMap<string, string> => {
  const contract = describeContract()
  const facts = operationFacts(contract)
  const factsPath = 'packages/sdk/src/operation-facts.gen.ts'
  return new Map([
    [factsPath, formatted(factsPath, factsModule(facts))],
    ['clients/python/src/waymark/_operations.py', pythonModule(contract, facts)],
  ])
}
