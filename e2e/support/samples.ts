/** The samples on the page of an operation, by the titles of their languages. */
export async function samplesAt(url: string, operation: string): Promise<ReadonlyMap<string, string>> {
  const page = await (await fetch(`${url}/docs/reference/${operation}.md`)).text()
  const found = page.matchAll(/^```\w+ title=(?<title>.*)\n(?<code>[\s\S]*?)^```$/gm)
  return new Map([...found].map(({ groups }) => [groups?.['title'] ?? '', groups?.['code'] ?? '']))
}
