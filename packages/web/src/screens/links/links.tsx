import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Link } from '@waymark/sdk'
import { ChevronLeft, ChevronRight, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { removeToTrash } from '../../api/removal.ts'
import { PAGE_SIZE } from '../../api/links.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Demanded, loadOnDemand } from '../../ui/load-on-demand.tsx'
import { counted } from '../../ui/numbers.ts'
import { ScreenHead, Skeletons } from '../../ui/screen.tsx'
import { LinkPanel } from './link-panel.tsx'
import { LinksEmpty } from './links-empty.tsx'
import { LinksMenu } from './links-menu.tsx'
import { LinksTable } from './links-table.tsx'
import { LinksToolbar } from './links-toolbar.tsx'
import { useLinks } from './use-links.ts'
import { useSelection } from './use-selection.ts'

const ImportLinks = loadOnDemand(async () => (await import('./import-links.tsx')).ImportLinks)

/** Moves links to the trash. Returns whether they were removed. */
export const removeLinks = (links: readonly Link[]): Promise<boolean> =>
  removeToTrash({
    uuids: links.map(({ uuid }) => uuid),
    what: 'link',
    stakes: {
      visits: links.reduce((sum, { clicks }) => sum + clicks, 0),
      visit: 'click',
      mayBePrinted: false,
    },
    remove: (uuids) => api.removeLinks({ uuids }),
  })

export function Links() {
  const view = useSearch({ from: '/inside/links' })
  const navigate = useNavigate({ from: '/links' })
  const list = useLinks({ ...view, sort: view.sort ?? 'newest', isArchive: view.archive === true })
  const selection = useSelection(list.links.filter((link) => link.owner === null).map((link) => link.uuid))
  const [edited, setEdited] = useState<Link | null>(null)
  const [isImporting, setIsImporting] = useState(false)
  const isFiltered = view.search !== undefined || view.tag !== undefined

  const setCreate = (create: true | undefined): void =>
    void navigate({ search: (before) => ({ ...before, create }), replace: create === undefined })
  const remove = async (uuids: readonly string[]): Promise<void> => {
    if (await removeLinks(list.links.filter(({ uuid }) => uuids.includes(uuid)))) selection.clear()
  }

  return (
    <>
      <ScreenHead title="Links" lead="All short links, including those of your pages, codes and campaigns.">
        <LinksMenu filter={{ search: view.search, tag: view.tag }} onImport={() => setIsImporting(true)} />
        <Button look="primary" icon={Plus} onClick={() => setCreate(true)}>
          New link
        </Button>
      </ScreenHead>
      <LinksToolbar />
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.retry} />
      ) : list.isPending ? (
        <Skeletons count={6} className="h-16" />
      ) : list.links.length === 0 && list.page === 0 && !list.hasNext ? (
        <LinksEmpty
          kind={view.archive === true ? 'archive' : isFiltered ? 'filtered' : 'new'}
          onCreate={() => setCreate(true)}
          onImport={() => setIsImporting(true)}
        />
      ) : (
        <>
          {list.isPartial && (
            <p className="mb-3 text-sm text-muted">
              Sorting covers the newest 3,000 links. Narrow the search to see others.
            </p>
          )}
          <LinksTable
            links={list.links}
            selection={selection}
            isStale={list.isStale}
            onEdit={setEdited}
            onRemove={(uuids) => void remove(uuids)}
          />
          <div className="mt-4 flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
            <p aria-live="polite" className="tabular">
              {counted(list.total, 'link')}
              {list.total > PAGE_SIZE && `, page ${list.page + 1} of ${Math.ceil(list.total / PAGE_SIZE)}`}
            </p>
            {(list.page > 0 || list.hasNext) && (
              <div className="flex gap-2">
                <Button icon={ChevronLeft} disabled={list.page === 0} onClick={list.back}>
                  Previous
                </Button>
                <Button disabled={!list.hasNext} onClick={list.next}>
                  Next
                  <ChevronRight aria-hidden size={16} />
                </Button>
              </div>
            )}
          </div>
        </>
      )}
      {selection.uuids.length > 0 && (
        <div className="sticky bottom-20 z-10 mx-auto mt-4 flex w-fit items-center gap-3 rounded-lg bg-ink py-2 pr-2 pl-4 text-sm font-semibold text-ground shadow-lg lg:bottom-6">
          <span role="status">{counted(selection.uuids.length, 'link')} selected</span>
          <Button look="ghost" className="text-ground! hover:text-ink!" onClick={selection.clear}>
            Clear
          </Button>
          <Button look="danger" icon={Trash2} onClick={() => void remove(selection.uuids)}>
            Remove
          </Button>
        </div>
      )}
      {isImporting && (
        <Demanded
          onFailure={(error) => {
            setIsImporting(false)
            toast.failure(error.message)
          }}
        >
          <ImportLinks onClose={() => setIsImporting(false)} />
        </Demanded>
      )}
      <LinkPanel
        isOpen={view.create === true || edited !== null}
        link={edited}
        onClose={() => {
          setEdited(null)
          if (view.create === true) setCreate(undefined)
        }}
      />
    </>
  )
}
