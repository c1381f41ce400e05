import type { Page } from '@waymark/sdk'
import { askAboutConflicts } from '../../api/version-conflict.ts'
import type { Conflict } from '../../forms/merge.ts'
import { snapshot } from '../../forms/snapshot.ts'
import { pngOf } from '../brand-kit/brand-kit.ts'
import { nameOfField, pageValuesOf, type PageValues } from './page-form.ts'

/** Fields of a page with another name in the builder. */
const builderNames: Readonly<Record<string, keyof PageValues>> = {
  logoStatus: 'hasLogo',
  socialIcons: 'icons',
  topShape: 'shape',
}

const valueNameOf = (field: string): keyof PageValues => builderNames[field] ?? (field as keyof PageValues)

/** The labels of fields changed in both the draft and, after it began, the published page. */
export const namesOfConflicts = ({ conflicts }: Page): string =>
  conflicts.map((field) => nameOfField(valueNameOf(field))).join(', ')

const inWords = (logo: string | null, which: string): string => (logo === null ? '' : which)

const conflictsOf = (page: Page, values: PageValues, published: PageValues): Conflict[] =>
  page.conflicts
    .map(valueNameOf)
    .map((path) =>
      path === 'logo'
        ? {
            path,
            mine: inWords(values.logo, 'Logo of the draft'),
            theirs: inWords(published.logo, 'Published logo'),
          }
        : { path, mine: values[path], theirs: published[path] },
    )
    .filter(({ mine, theirs }) => snapshot({ mine }) !== snapshot({ mine: theirs }))

/**
 * Asks about fields that changed on the published page after the draft began, before the draft replaces them. If the question
 * is cancelled, nothing is published and both versions stay unchanged.
 */
export async function settleConflicts(page: Page, values: PageValues): Promise<PageValues> {
  const published = pageValuesOf({ ...page, unpublished: null }, values.images)
  const conflicts = conflictsOf(page, values, published)
  if (conflicts.length === 0) return values
  const decision = await askAboutConflicts(conflicts, nameOfField)
  if (decision === null) throw new Error('Not published. The draft and the published page stay as they are.')
  const theirs = conflicts
    .map(({ path }) => path as keyof PageValues)
    .filter((path) => decision.get(path) === 'theirs')
  const settled = { ...values, ...Object.fromEntries(theirs.map((path) => [path, published[path]])) }
  if (!theirs.includes('logo')) return settled
  // An edit accepts a logo only as a file.
  return { ...settled, logoFile: published.logo === null ? null : await pngOf(published.logo) }
}
