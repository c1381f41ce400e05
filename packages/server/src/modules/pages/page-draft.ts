import { isDeepStrictEqual } from 'node:util'
import { configOf, filesOf, type PageContent } from './page-config.ts'
import type { PageRow, SlugName } from './pages.store.ts'

/** The published version of a page, or its draft. */
export interface PageVersion extends SlugName {
  readonly content: PageContent
}

/** Unpublished changes of a page. */
export interface PageDraft extends PageVersion {
  /** Fields changed in the draft and, after the draft began, on the published page as well. */
  readonly conflicts: readonly string[]
}

/** The published version of a page. */
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

/** The column of a draft. */
export const draftColumn = ({ domain, slug, content, conflicts }: PageDraft): string =>
  JSON.stringify({ domain, slug, ...content, conflicts })

/** The version that an edit starts from: the draft if it continues or publishes it, else the published one. */
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

/** The draft after an edit of it. A field that equals the published one is no longer a conflict. */
export const editedDraft = (row: PageRow, version: PageVersion): PageDraft => {
  const differing = new Set(differingFields(fieldsOf(version), fieldsOf(publishedOf(row))))
  const conflicts = (draftOf(row)?.conflicts ?? []).filter((name) => differing.has(name))
  return { ...version, conflicts }
}

/**
 * The draft after an edit of the published page: fields that the draft does not change follow the edit, so that publishing
 * the draft later does not undo it. Fields changed in both keep the draft's value and are conflicts.
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

/** The hashes of all files of a page and its draft. */
export const filesOfPage = (row: PageRow): Set<string> => {
  const draft = draftOf(row)
  return new Set([...filesOf(configOf(row)), ...(draft === null ? [] : filesOf(draft.content.config))])
}
