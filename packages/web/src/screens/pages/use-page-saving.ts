import type { Page } from '@waymark/sdk'
import { useEffect, useRef, useState } from 'react'
import { pageQuery } from '../../api/resources.ts'
import { queryClient } from '../../api/query-client.ts'
import { removeDraft } from '../../forms/drafts.ts'
import { useRowForm } from '../../forms/use-row-form.ts'
import { useUploadProgress } from '../../ui/upload-progress.tsx'
import { nameOfField, pageValuesOf, type PageValues } from './page-form.ts'
import { canBeSaved, withSavedImages } from './page-body.ts'
import { createPage, savePage, type SaveMode } from './page-request.ts'

const PAUSE_MS = 1200

/** The storage key for the input of an unpublished page. */
export const NEW_PAGE = 'page.new'

const cache = (page: Page): void => {
  queryClient.setQueryData(pageQuery(page.uuid).queryKey, page)
  for (const queryKey of [['pages', 'list'], ['links'], ['qrcodes'], ['plan']])
    void queryClient.invalidateQueries({ queryKey })
}

/**
 * The form of the builder. An existing page is saved as a draft whenever typing pauses; visitors see it after it is
 * published.
 */
export function usePageSaving(saved: Page | null, initial: PageValues, onPublished: (page: Page) => void) {
  const upload = useUploadProgress()
  const [page, setPage] = useState(saved)
  const mode = useRef<SaveMode>('publish')
  const [isPublishing, setIsPublishing] = useState(false)
  const tried = useRef<PageValues>(initial)
  const form = useRowForm<Page, PageValues>(saved, {
    initial,
    valuesOf: (row, { images }) => pageValuesOf(row, images),
    nameOf: nameOfField,
    create: (values) => createPage(values, upload.options),
    edit: (row, values) => savePage(row, values, mode.current, upload.options),
    onSaved: ({ data }, sent) => {
      cache(data)
      setPage(data)
      if (saved === null) removeDraft(NEW_PAGE)
      if (mode.current === 'publish') onPublished(data)
      return pageValuesOf(data, withSavedImages(sent, data).images)
    },
  })
  const { values, isBusy } = form

  const save = async (how: SaveMode): Promise<void> => {
    mode.current = how
    tried.current = values
    await form.submit(undefined, how === 'draft')
  }
  const saveRef = useRef(save)
  useEffect(() => {
    saveRef.current = save
  })

  const hasBegun = useRef(false)
  useEffect(() => {
    // Wait for a draft that is being saved.
    if (!isPublishing || isBusy || hasBegun.current) return
    hasBegun.current = true
    void saveRef.current('publish').finally(() => {
      hasBegun.current = false
      setIsPublishing(false)
    })
  }, [isPublishing, isBusy])

  const isWaiting = page !== null && !isBusy && !isPublishing && canBeSaved(values)
  useEffect(() => {
    // Rejected values are sent again only after they were changed.
    if (!isWaiting || values === tried.current || !form.isChanged()) return undefined
    const timer = setTimeout(() => void saveRef.current('draft'), PAUSE_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- `isChanged` never changes
  }, [isWaiting, values])

  return {
    form,
    /** The saved page; null before the first publication. */
    page,
    uploadShare: upload.share,
    isPublishing,
    publish: () => setIsPublishing(true),
  }
}
