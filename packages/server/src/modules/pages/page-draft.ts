import { configOf, filesOf, type PageContent } from './page-config.ts'
import type { PageRow, SlugName } from './pages.store.ts'

/** Changes to a page that are kept apart from what is published. */
export interface PageDraft extends SlugName {
  readonly content: PageContent
}

/** What is published of a page. */
export const contentOf = (row: PageRow): PageContent => ({
  title: row.title,
  subtext: row.subtext,
  config: configOf(row),
})

/** The draft of a page, if it has one. */
export const draftOf = ({ draft }: Pick<PageRow, 'draft'>): PageDraft | null => {
  if (draft === null) return null
  const { domain, slug, title, subtext, config } = JSON.parse(draft) as SlugName & PageContent
  return { domain, slug, content: { title, subtext, config: configOf({ config: JSON.stringify(config) }) } }
}

/** The column that keeps a draft. */
export const draftColumn = ({ domain, slug, content }: PageDraft): string =>
  JSON.stringify({ domain, slug, ...content })

/** What an edit begins with: the draft if it goes on with that or publishes it, else what is published. */
export const editedVersion = (
  row: PageRow,
  input: { readonly draft?: boolean | null | undefined; readonly publish?: boolean | null | undefined },
): PageDraft => {
  const published = { domain: row.domain, slug: row.slug, content: contentOf(row) }
  return input.draft === true || input.publish === true ? (draftOf(row) ?? published) : published
}

/** The hashes of every file that a page or its draft refers to. */
export const filesOfPage = (row: PageRow): Set<string> => {
  const draft = draftOf(row)
  return new Set([...filesOf(configOf(row)), ...(draft === null ? [] : filesOf(draft.content.config))])
}
