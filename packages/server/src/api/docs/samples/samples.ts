import type { OperationName } from '@waymark/contract'
import type { OperationExample } from '../../examples.ts'
import { pythonSample, typescriptSample } from './clients.ts'
import { curlSample } from './curl.ts'
import { goSample, phpSample } from './recipes.ts'
import { type SampleRequest, sampleRequest } from './request.ts'

/** Each language: how code blocks name it, its title, and how it writes a request. */
const LANGUAGES: readonly (readonly [language: string, title: string, (request: SampleRequest) => string])[] =
  [
    ['sh', 'curl', curlSample],
    ['ts', 'TypeScript', typescriptSample],
    ['python', 'Python', pythonSample],
    ['php', 'PHP', phpSample],
    ['go', 'Go', goSample],
  ]

/** What the dashboard alone uses has a cookie in place of a key, so no client has it. */
const languagesOf = ({ operation }: SampleRequest) =>
  operation.tag === 'Dashboard' ? LANGUAGES.slice(0, 1) : LANGUAGES

/** The same request in every language, as code blocks of Markdown. */
export function samplesOf(name: OperationName, example: OperationExample): string {
  const request = sampleRequest(name, example)
  return languagesOf(request)
    .map(([language, title, write]) => `\`\`\`${language} title=${title}\n${write(request)}\n\`\`\``)
    .join('\n\n')
}
