import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Page } from '@waymark/sdk'
import { ArrowLeft, Copy } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { instanceQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { pageQuery } from '../../api/resources.ts'
import { Form } from '../../forms/form.tsx'
import { useUnsavedGuard } from '../../forms/use-unsaved-guard.ts'
import { RouteMissing } from '../../shell/route-states.tsx'
import { toast } from '../../shell/toasts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Segments } from '../../ui/choices.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ScreenFailure } from '../../ui/failure.tsx'
import { Demanded, loadOnDemand } from '../../ui/load-on-demand.tsx'
import { MayEdit } from '../../ui/may.tsx'
import { ScreenHead, Skeletons } from '../../ui/screen.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { RemoveButton } from '../remove-button.tsx'
import { BuilderFields } from './builder-fields.tsx'
import { pageCopyQuery } from './page-copy.ts'
import { pageValuesOf, type PageValues } from './page-form.ts'
import { type Section, sectionOf } from './page-fields.tsx'
import { type PagePart, PagePreview } from './page-preview.tsx'
import { viewOf } from './page-view.ts'
import { Published } from './published.tsx'
import { SaveBar } from './save-bar.tsx'
import { usePageSaving } from './use-page-saving.ts'

const Statistics = loadOnDemand(async () => (await import('../statistics/statistics.tsx')).Statistics)

export function PageBuilder() {
  const { uuid } = useParams({ from: '/inside/pages/$uuid' })
  const { copy } = useSearch({ from: '/inside/pages/$uuid' })
  const isNew = uuid === 'new'
  const [discards, setDiscards] = useState(0)
  const query = useQuery({ ...pageQuery(uuid), enabled: !isNew })
  const copied = useQuery({ ...pageCopyQuery(copy ?? ''), enabled: isNew && copy !== undefined })
  const { data: instance, ...instanceRequest } = useQuery(instanceQuery)
  const source = isNew ? copied : query
  const failed = [source, instanceRequest].find(({ isError }) => isError)
  if (failed !== undefined)
    return <ScreenFailure error={failed.error} onRetry={() => void failed.refetch()} />
  if (source.data === null) return <RouteMissing />
  const isLoading = source.data === undefined && !(isNew && copy === undefined)
  if (isLoading || instance === undefined) return <Skeletons count={3} className="h-40" />
  const saved = isNew ? null : (query.data ?? null)
  const values = (isNew ? copied.data : null) ?? pageValuesOf(saved)
  return (
    <Builder
      key={`${uuid} ${copy ?? ''} ${discards}`}
      saved={saved}
      isCopy={copy !== undefined}
      values={{ ...values, domain: values.domain || new URL(instance.base_url).hostname }}
      onDiscarded={() => setDiscards((count) => count + 1)}
    />
  )
}

interface BuilderProps {
  readonly saved: Page | null
  readonly isCopy: boolean
  readonly values: PageValues
  readonly onDiscarded: () => void
}

/** The field for a part of the page. */
const selectorOf = (part: PagePart, { buttons, images, icons }: PageValues): string => {
  const fieldIn = (key: string | undefined): string => `[data-key="${key ?? ''}"] :is(input, textarea)`
  if (part === 'title') return 'input[name="title"]'
  if (part === 'logo') return 'input[name="logoText"]'
  if (part === 'images') return fieldIn(images.find(({ isShown }) => isShown)?.key)
  if (part === 'icons') return fieldIn(icons[0]?.key)
  const { key, type } = buttons.filter(({ isShown }) => isShown)[part.block] ?? {}
  // The first input may be the picture; a divider only has buttons.
  if (type === 'divider') return `[data-key="${key ?? ''}"] button`
  return type === 'text' ? fieldIn(key) : `[data-key="${key ?? ''}"] input[type="text"]`
}

type Tab = 'edit' | 'preview' | 'statistics'

function Builder({ saved, isCopy, values, onDiscarded }: BuilderProps) {
  const navigate = useNavigate()
  const isNarrow = useMedia('(width < 64rem)')
  const [published, setPublished] = useState<Page | null>(null)
  const [isDiscarding, setIsDiscarding] = useState(false)
  const [tab, setTab] = useState<Tab>('edit')
  const [initial] = useState(values)
  const saving = usePageSaving(saved, initial, (page) =>
    saved === null ? setPublished(page) : toast.news('Changes published'),
  )
  const { form, page, publish } = saving
  useUnsavedGuard(form)
  const shown = useDeferredValue(form.values)
  const view = useMemo(() => viewOf(shown), [shown])
  const [section, setSection] = useState<Section>('content')
  const [seenRejections, setSeenRejections] = useState(0)
  // In the same rendering, so that the form can focus the invalid field.
  if (form.rejections !== seenRejections) {
    setSeenRejections(form.rejections)
    setSection(sectionOf(form.faults))
  }
  const [picked, setPicked] = useState<{ readonly selector: string } | null>(null)
  const pick = (part: PagePart): void => {
    setTab('edit')
    setSection(part === 'logo' ? 'design' : 'content')
    setPicked({ selector: selectorOf(part, form.values) })
  }
  useEffect(() => {
    if (picked === null) return
    const field = document.querySelector<HTMLElement>(picked.selector)
    field?.scrollIntoView({ block: 'center' })
    field?.focus({ preventScroll: true })
  }, [picked])

  const discard = async (seen: Page): Promise<void> => {
    const { uuid } = seen
    const { data } = await api.editPage({ uuid, draft: false }, { ifMatch: seen })
    queryClient.setQueryData(pageQuery(uuid).queryKey, data)
    toast.news('Draft discarded')
    onDiscarded()
  }
  const closePublished = (): void => {
    setPublished(null)
    if (saved === null && published !== null)
      void navigate({ to: '/pages/$uuid', params: { uuid: published.uuid }, replace: true })
  }
  const onSubmit = (event: { preventDefault: () => void }): void => {
    event.preventDefault()
    publish()
  }

  return (
    <Form form={{ rejections: form.rejections, onSubmit }}>
      <BuilderHead {...{ saved, tab, setTab, isNarrow }} />
      <SaveBar {...saving} onDiscard={() => setIsDiscarding(true)} />
      {tab === 'statistics' && saved !== null ? (
        <Demanded
          onFailure={(error) => {
            toast.failure(error.message)
            setTab('edit')
          }}
        >
          <Statistics scope={{ uuid: saved.uuid }} name={saved.slug} isPage />
        </Demanded>
      ) : (
        <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,24rem)]">
          <div className={tab === 'preview' && isNarrow ? 'hidden' : 'min-w-0 space-y-6'}>
            <MayEdit does="editPage" lead="You can look at this page.">
              <BuilderFields
                {...saving}
                initial={initial}
                isNew={saved === null}
                isCopy={isCopy}
                section={section}
                onSection={setSection}
              />
            </MayEdit>
          </div>
          <div className={isNarrow && tab !== 'preview' ? 'hidden' : 'lg:sticky lg:top-20'}>
            <PagePreview view={view} onPick={pick} />
            <p className="mt-3 text-center text-sm text-faint">Select a part of the page to edit it.</p>
          </div>
        </div>
      )}
      <Published page={published} onClose={closePublished} />
      <Confirm
        isOpen={isDiscarding}
        onClose={() => setIsDiscarding(false)}
        title="Discard draft?"
        action="Discard draft"
        onConfirm={async () => {
          if (page !== null) await discard(page)
        }}
      >
        <p>Your unpublished changes are removed. The published page stays as it is.</p>
      </Confirm>
    </Form>
  )
}

function BuilderHead({
  saved,
  tab,
  setTab,
  isNarrow,
}: {
  readonly saved: Page | null
  readonly tab: Tab
  readonly setTab: (tab: Tab) => void
  readonly isNarrow: boolean
}) {
  const navigate = useNavigate()
  const views = [
    { value: 'edit' as const, label: 'Edit' },
    // On wide screens it is beside the form.
    ...(isNarrow ? [{ value: 'preview' as const, label: 'Preview' }] : []),
    ...(saved === null ? [] : [{ value: 'statistics' as const, label: 'Statistics' }]),
  ]
  return (
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
        <div className="flex gap-2">
          <ButtonLink
            does="generatePage"
            icon={Copy}
            className="max-sm:px-3 max-sm:[&>svg]:hidden"
            to="/pages/$uuid"
            params={{ uuid: 'new' }}
            search={{ copy: saved.uuid }}
          >
            Duplicate
          </ButtonLink>
          <RemoveButton
            does="removePage"
            uuid={saved.uuid}
            what="page"
            remove={(uuids) => api.removePage({ uuids })}
            stakes={{ visits: saved.views, visit: 'view', mayBePrinted: true }}
            onRemoved={() => void navigate({ to: '/pages' })}
          />
        </div>
      )}
    </ScreenHead>
  )
}
