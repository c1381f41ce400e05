import { GUIDES } from './guides.ts'
import type { ReferencePage } from './reference.ts'

/** `llms.txt`: what there is to read, as Markdown, for programs that read. See https://llmstxt.org. */
export function llmsText(baseUrl: string, pages: readonly ReferencePage[]): string {
  const guides = Object.entries(GUIDES).map(
    ([group, entries]) =>
      `## ${group}\n\n${entries.map(({ name, label, about }) => `- [${label}](${baseUrl}/docs/${name}.md): ${about}`).join('\n')}`,
  )
  const operations = pages.map(
    ({ name, method, path, summary }) =>
      `- [${method} ${path}](${baseUrl}/docs/reference/${name}.md): ${summary}`,
  )
  return `${[
    '# Waymark',
    '> Short links, QR codes, barcodes, landing pages and UTM links on a server of your own, with an HTTP API.',
    `Every page is Markdown. The API in one file: [OpenAPI 3.0.3](${baseUrl}/openapi.json).`,
    ...guides,
    `## Operations\n\n${operations.join('\n')}`,
  ].join('\n\n')}\n`
}
