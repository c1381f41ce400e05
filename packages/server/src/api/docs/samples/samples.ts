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

/** What the dashboard alone uses has a cookie in place of a key, so no client has it; a stream needs one that has it. */
const languagesOf = ({ operation, isStream }: SampleRequest) => {
  if (operation.tag === 'Dashboard') return LANGUAGES.slice(0, 1)
  return isStream ? LANGUAGES.slice(0, 2) : LANGUAGES
}

/** The same request in every language, as code blocks of Markdown. */
export function samplesOf(name: OperationName, example: OperationExample): string {
  const request = sampleRequest(name, example)
  return languagesOf(request)
    .map(([language, title, write]) => `\`\`\`${language} title=${title}\n${write(request)}\n\`\`\``)
    .join('\n\n')
}
