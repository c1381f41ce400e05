import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { Page } from '@waymark/sdk'
import { ArrowLeft, Send } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { instanceQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { pageQuery } from '../../api/resources.ts'
import { Form } from '../../forms/form.tsx'
import { useRowForm } from '../../forms/use-row-form.ts'
import { useUnsavedGuard } from '../../forms/use-unsaved-guard.ts'
import { RouteMissing } from '../../shell/route-states.tsx'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/choices.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScreenHead, Skeletons } from '../../ui/screen.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { UploadBar, useUploadProgress } from '../../ui/upload-progress.tsx'
import { Statistics } from '../link/statistics.tsx'
import { RemoveButton } from '../remove-button.tsx'
import { targetNames } from './target-names.ts'
import { PageFields } from './page-fields.tsx'
import {
  nameOfField,
  needsSecondSave,
  pageBody,
  pageValuesOf,
  type PageValues,
  viewOf,
  withSavedImages,
} from './page-form.ts'
import { PagePreview } from './page-preview.tsx'
import { Published } from './published.tsx'

export function PageBuilder() {
  const { uuid } = useParams({ from: '/inside/pages/$uuid' })
  const isNew = uuid === 'new'
  const query = useQuery({ ...pageQuery(uuid), enabled: !isNew })
  const { data: instance } = useQuery(instanceQuery)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === null) return <RouteMissing />
  if ((!isNew && query.data === undefined) || instance === undefined)
    return <Skeletons count={3} className="h-40" />
  const host = new URL(instance.base_url).hostname
  return <Builder key={uuid} saved={isNew ? null : (query.data ?? null)} defaultDomain={host} />
}

type SavedPage = Awaited<ReturnType<typeof api.editPage>>

const save = async (values: PageValues, saved: Page | null, options: object): Promise<SavedPage> => {
  const edit = (row: Page, fields: PageValues): Promise<SavedPage> =>
    api.editPage(
      { ...pageBody(fields, row), uuid: row.uuid },
      {
        ...options,
        ifMatch: row,
      },
    )
  const first =
    saved === null ? await api.generatePage(pageBody(values, null), options) : await edit(saved, values)
  if (!needsSecondSave(values)) return first
  return edit(first.data, withSavedImages(values, first.data))
}

function Builder({ saved, defaultDomain }: { readonly saved: Page | null; readonly defaultDomain: string }) {
  const navigate = useNavigate()
  const upload = useUploadProgress()
  const isNarrow = useMedia('(width < 64rem)')
  const [published, setPublished] = useState<Page | null>(null)
  const [tab, setTab] = useState<'edit' | 'preview' | 'statistics'>('edit')
  const [initial] = useState(() => {
    const values = pageValuesOf(saved)
    return { ...values, domain: values.domain || defaultDomain }
  })
  const form = useRowForm<Page, PageValues>(saved, {
    initial,
    valuesOf: (page, { images }) => pageValuesOf(page, images),
    nameOf: nameOfField,
    create: (values) => save(values, null, upload.options),
    edit: (row, values) => save(values, row, upload.options),
    onSaved: ({ data: page }, sent) => {
      queryClient.setQueryData(pageQuery(page.uuid).queryKey, page)
      for (const queryKey of [['pages', 'list'], ['links'], ['qrcodes'], ['plan']])
        void queryClient.invalidateQueries({ queryKey })
      setPublished(page)
      return pageValuesOf(page, withSavedImages(sent, page).images)
    },
  })
  useUnsavedGuard(form)
  const shown = useDeferredValue(form.values)
  const view = useMemo(() => viewOf(shown), [shown])
  const isAboutFields = Object.keys(form.faults).length > 0

  const views = [
    { value: 'edit' as const, label: 'Edit' },
    // On wide screens it is beside the form.
    ...(isNarrow ? [{ value: 'preview' as const, label: 'Preview' }] : []),
    ...(saved === null ? [] : [{ value: 'statistics' as const, label: 'Statistics' }]),
  ]

  const closePublished = (): void => {
    setPublished(null)
    if (saved === null && published !== null)
      void navigate({ to: '/pages/$uuid', params: { uuid: published.uuid }, replace: true })
  }

  return (
    <Form form={form}>
      <ScreenHead
        title={saved === null ? 'New page' : saved.title}
        hasWideActions
        above={
          <Link
            to="/pages"
            className="mb-3 inline-flex items-center gap-1.5 text-sm font-semibold text-muted hover:text-ink"
          >
            <ArrowLeft aria-hidden size={15} /> Pages
          </Link>
        }
      >
        {views.length > 1 && (
          <Segments label="View" hasHiddenLabel value={tab} onValue={setTab} options={views} />
        )}
        {saved !== null && (
          <RemoveButton
            uuid={saved.uuid}
            what="page"
            remove={(uuids) => api.removePage({ uuids })}
            stakes={{ visits: saved.views, visit: 'view', mayBePrinted: true }}
            onRemoved={() => void navigate({ to: '/pages' })}
          />
        )}
        <Button look="primary" icon={Send} type="submit" isBusy={form.isBusy}>
          {saved === null ? 'Publish' : 'Publish changes'}
        </Button>
      </ScreenHead>
      {tab === 'statistics' && saved !== null ? (
        <Statistics uuid={saved.uuid} name={saved.slug} targets={targetNames(saved)} />
      ) : (
        <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,24rem)]">
          <div className={tab === 'preview' && isNarrow ? 'hidden' : 'min-w-0 space-y-6'}>
            <UploadBar share={upload.share} />
            {form.failure !== null && (
              <Notice kind="danger">
                {isAboutFields ? 'Some fields are not valid. Check the fields marked below.' : form.failure}
              </Notice>
            )}
            <PageFields form={form} isNew={saved === null} />
          </div>
          <div className={isNarrow && tab !== 'preview' ? 'hidden' : 'lg:sticky lg:top-8'}>
            <PagePreview view={view} />
          </div>
        </div>
      )}
      <Published page={published} isFirst={saved === null} onClose={closePublished} />
    </Form>
  )
}
