import type { Item } from '@waymark/sdk'
import { counted } from '../../../ui/numbers.ts'
import { bare } from '../../../ui/plate.tsx'
import { momentOf } from '../../../ui/times.ts'

export type Version = Item<'linkHistory'>

const causes: Record<Exclude<Version['cause']['type'], 'key'>, string> = {
  created: 'Link created',
  import: 'Imported',
  dashboard: 'Changed in the dashboard',
  revert: 'Reverted',
  restore: 'Restored from the trash',
  resource: 'Changed by the page or code that the link belongs to',
}

/** What changed a link. */
export const causeInWords = ({ type, name }: Version['cause']): string =>
  type === 'key' ? `Changed by the API key ${name ?? 'that was removed'}` : causes[type]

export interface Change {
  readonly what: string
  readonly before: string
  readonly after: string
}

const lines: readonly { readonly what: string; readonly textOf: (version: Version) => string }[] = [
  { what: 'Destination', textOf: ({ link }) => bare(link) },
  { what: 'iOS destination', textOf: ({ ios_url }) => (ios_url === null ? 'none' : bare(ios_url)) },
  {
    what: 'Android destination',
    textOf: ({ android_url }) => (android_url === null ? 'none' : bare(android_url)),
  },
  { what: 'Rules', textOf: ({ rules }) => (rules.length === 0 ? 'none' : counted(rules.length, 'rule')) },
  {
    what: 'Variants',
    textOf: ({ variants }) => (variants.length === 0 ? 'none' : variants.map(({ name }) => name).join(', ')),
  },
  { what: 'Expires', textOf: ({ expire }) => (expire === null ? 'never' : momentOf(expire)) },
  { what: 'Domain', textOf: ({ domain }) => domain },
]

const contents: Record<string, (version: Version) => unknown> = {
  Rules: ({ rules }) => rules,
  Variants: ({ variants }) => variants,
}

/** The differences of a version from the previous one. For the oldest one: all settings. */
export const changesOf = (version: Version, before: Version | undefined): readonly Change[] =>
  lines.flatMap(({ what, textOf }) => {
    const after = textOf(version)
    if (before === undefined) return ['none', 'never'].includes(after) ? [] : [{ what, before: '', after }]
    const earlier = textOf(before)
    if (after !== earlier) return [{ what, before: earlier, after }]
    const content = contents[what]
    const isEdited =
      content !== undefined && JSON.stringify(content(version)) !== JSON.stringify(content(before))
    return isEdited ? [{ what, before: earlier, after: `${after}, edited` }] : []
  })
