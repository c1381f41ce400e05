import { readFileSync } from 'node:fs'

/** A guide: a file of `docs/`, its name in lists, and its subject in one line. */
export interface Guide {
  readonly name: string
  readonly label: string
  readonly about: string
}

/** The tour consists of screenshots, which are not part of a release. */
const LEFT_OUT = 'tour'

const guidesOf = (section: string): Guide[] =>
  section.split('\n').flatMap((line) => {
    const [, label = '', name = '', about = ''] = /^- \[([^\]]+)\]\(([a-z-]+)\.md\): (.+)$/.exec(line) ?? []
    return name === '' || name === LEFT_OUT ? [] : [{ name, label, about }]
  })

/** The guides by group, from `docs/README.md`. Read when the docs are built, not by a running server. */
export const GUIDES: Readonly<Record<string, readonly Guide[]>> = Object.fromEntries(
  readFileSync(new URL('../../../../../docs/README.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), guidesOf(section)]),
)
