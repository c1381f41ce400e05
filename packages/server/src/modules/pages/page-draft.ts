import { isDeepStrictEqual } from 'node:util'
import { configOf, filesOf, type PageContent } from './page-config.ts'
import type { PageRow, SlugName } from './pages.store.ts'

/** A page as it is published, or as its draft has it. */
export interface PageVersion extends SlugName {
  readonly content: PageContent
}

/** Changes to a page that are kept apart from what is published. */
export interface PageDraft extends PageVersion {
  /** Fields that the draft changes and that were changed on the published page as well, after the draft began. */
  readonly conflicts: readonly string[]
}

/** What is published of a page. */
export const publishedOf = (row: PageRow): PageVersion => ({
  domain: row.domain,
  slug: row.slug,
  content: { title: row.title, subtext: row.subtext, config: configOf(row) },
})

/** The draft of a page, if it has one. */
export const draftOf = ({ draft }: Pick<PageRow, 'draft'>): PageDraft | null => {
  if (draft === null) return null
  const {
    domain,
    slug,
    title,
    subtext,
    config,
    conflicts = [],
  } = JSON.parse(draft) as SlugName & PageContent & { conflicts?: readonly string[] }
  const content = { title, subtext, config: configOf({ config: JSON.stringify(config) }) }
  return { domain, slug, content, conflicts }
}

/** The column that keeps a draft. */
export const draftColumn = ({ domain, slug, content, conflicts }: PageDraft): string =>
  JSON.stringify({ domain, slug, ...content, conflicts })

/** What an edit begins with: the draft if it goes on with that or publishes it, else what is published. */
export const editedVersion = (
  row: PageRow,
  input: { readonly draft?: boolean | null | undefined; readonly publish?: boolean | null | undefined },
): PageVersion => {
  const published = publishedOf(row)
  return input.draft === true || input.publish === true ? (draftOf(row) ?? published) : published
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = ({ domain, slug, content: { title, subtext, config } }: PageVersion): Fields => ({
  domain,
  slug,
  title,
  subtext,
  ...config,
})

const versionOf = (fields: Fields): PageVersion => {
  const { domain, slug, title, subtext, ...config } = fields
  return { domain, slug, content: { title, subtext, config } } as unknown as PageVersion
}

const differingFields = (one: Fields, other: Fields): string[] =>
  Object.keys(one).filter((name) => !isDeepStrictEqual(one[name], other[name]))

/** The draft that an edit of it leaves. A field that is now as published is no conflict any more. */
export const editedDraft = (row: PageRow, version: PageVersion): PageDraft => {
  const differing = new Set(differingFields(fieldsOf(version), fieldsOf(publishedOf(row))))
  const conflicts = (draftOf(row)?.conflicts ?? []).filter((name) => differing.has(name))
  return { ...version, conflicts }
}

/**
 * The draft after an edit of the published page: what the draft leaves as it was follows the edit, so that publishing
 * the draft later does not undo it. What both changed stays as the draft has it and is a conflict.
 */
export const followingDraft = (draft: PageDraft, before: PageVersion, after: PageVersion): PageDraft => {
  const [own, old, now] = [draft, before, after].map(fieldsOf) as [Fields, Fields, Fields]
  const ownChanges = new Set(differingFields(own, old))
  const followed = differingFields(now, old).filter((name) => !ownChanges.has(name))
  const fields = { ...own, ...Object.fromEntries(followed.map((name) => [name, now[name]])) }
  const touched = new Set([...draft.conflicts, ...differingFields(now, old)])
  const conflicts = differingFields(fields, now).filter((name) => touched.has(name))
  return { ...versionOf(fields), conflicts }
}

/** The hashes of every file that a page or its draft refers to. */
export const filesOfPage = (row: PageRow): Set<string> => {
  const draft = draftOf(row)
  return new Set([...filesOf(configOf(row)), ...(draft === null ? [] : filesOf(draft.content.config))])
}
