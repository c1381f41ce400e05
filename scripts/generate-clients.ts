import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles, root } from './clients/generated-files.ts'

/* Generates the parts of the clients that depend on the contract: `npm run generate`. */

for (const [path, text] of generatedFiles()) {
  writeFileSync(join(root, path), text)
  console.log(path)
}
