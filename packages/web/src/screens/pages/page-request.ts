import type { Page } from '@waymark/sdk'
import { api } from '../../api/client.ts'
import { needsSecondSave, pageBody, withSavedImages } from './page-body.ts'
import type { PageValues } from './page-form.ts'
import { settleConflicts } from './publish-conflicts.ts'

type SavedPage = Awaited<ReturnType<typeof api.editPage>>

/** Whether a save stays a draft or is published. */
export type SaveMode = 'draft' | 'publish'

const editPage = (row: Page, values: PageValues, mode: SaveMode, options: object): Promise<SavedPage> =>
  api.editPage(
    { ...pageBody(values, row), uuid: row.uuid, ...(mode === 'draft' ? { draft: true } : { publish: true }) },
    { ...options, ifMatch: row },
  )

export async function createPage(values: PageValues, options: object): Promise<SavedPage> {
  const first = await api.generatePage(pageBody(values, null), options)
  if (!needsSecondSave(values)) return first
  return editPage(first.data, withSavedImages(values, first.data), 'publish', options)
}

export async function savePage(
  row: Page,
  values: PageValues,
  mode: SaveMode,
  options: object,
): Promise<SavedPage> {
  const settled = mode === 'publish' ? await settleConflicts(row, values) : values
  if (!needsSecondSave(settled)) return editPage(row, settled, mode, options)
  // Visitors should not see the images before their titles.
  const first = await editPage(row, settled, 'draft', options)
  return editPage(first.data, withSavedImages(settled, first.data), mode, options)
}
