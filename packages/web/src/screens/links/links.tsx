import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Link } from '@waymark/sdk'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { bulkEdit } from '../../api/bulk-edit.ts'
import { linksQuery } from '../../api/links.ts'
import { useMay } from '../../api/workspaces.ts'
import { FIRST_PAGE } from '../../lists/list-place.ts'
import { Pager } from '../../lists/pager.tsx'
import { useList } from '../../lists/use-list.ts'
import { useSelection } from '../../lists/use-selection.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Demanded, loadOnDemand } from '../../ui/load-on-demand.tsx'
import { ScreenHead, Skeletons } from '../../ui/screen.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { LinkPanel } from './link-panel.tsx'
import { LinksEmpty } from './links-empty.tsx'
import { LinksMenu } from './links-menu.tsx'
import { LinksTable } from './links-table.tsx'
import { LinksToolbar } from './links-toolbar.tsx'
import { removeLinks } from './remove-links.ts'
import { filterOf, isNarrowed, type LinksView, orderOf, pageSizes, sizeOf, stateOf } from './links-view.ts'

const ImportLinks = loadOnDemand(async () => (await import('./import-links.tsx')).ImportLinks)

/** Hides a link from the lists, or shows it again. It redirects either way. */
const setArchived = ({ uuid }: Link, archived: boolean): Promise<boolean> =>
  bulkEdit({ uuids: [uuid] }, { archived }, archived ? 'archived' : 'unarchived')

export function Links() {
  const view = useSearch({ from: '/inside/links' })
  const navigate = useNavigate({ from: '/links' })
  const list = useList((cursor) => linksQuery({ ...filterOf(view), ...orderOf(view) }, cursor, sizeOf(view)))
  const selection = useSelection(list.rows.filter((link) => link.owner === null).map((link) => link.uuid))
  const [edited, setEdited] = useState<Link | null>(null)
  const [copied, setCopied] = useState<Link | null>(null)

  const may = useMay()
  const isImporting = view.import === true && may('importLinks')
  const setIsImporting = (isOpen: boolean): void =>
    void navigate({
      search: (before) => ({ ...before, import: isOpen || undefined }),
      replace: !isOpen,
    })
  const setCreate = (create: true | undefined): void =>
    void navigate({ search: (before) => ({ ...before, create }), replace: create === undefined })
  const remove = async (uuids: readonly string[]): Promise<void> => {
    if (await removeLinks(list.rows.filter(({ uuid }) => uuids.includes(uuid)))) selection.clear()
  }

  return (
    <>
      <ScreenHead title="Links" lead="All short links, including those of your pages, codes and campaigns.">
        <LinksMenu view={view} onImport={() => setIsImporting(true)} />
        <Button does="generateLink" look="primary" icon={Plus} onClick={() => setCreate(true)}>
          New link
        </Button>
      </ScreenHead>
      <div id={list.topId} className="scroll-mt-20">
        <LinksToolbar />
        {list.error !== null ? (
          <Failure error={list.error} onRetry={list.retry} />
        ) : list.isPending ? (
          <Skeletons count={6} className="h-16" />
        ) : list.isEmpty ? (
          <Nothing view={view} onCreate={() => setCreate(true)} onImport={() => setIsImporting(true)} />
        ) : (
          <>
            <LinksTable
              links={list.rows}
              selection={selection}
              isStale={list.isStale}
              onEdit={setEdited}
              onDuplicate={setCopied}
              onArchive={(link) => void setArchived(link, !link.archived)}
              onRemove={(uuids) => void remove(uuids)}
            />
            <Pager
              list={list}
              what="link"
              size={sizeOf(view)}
              sizes={pageSizes}
              onSize={(size) =>
                void navigate({ search: { ...view, ...FIRST_PAGE, size: size === 50 ? undefined : size } })
              }
            />
          </>
        )}
      </div>
      <BulkBar
        selection={selection}
        filter={filterOf(view)}
        total={list.total}
        isArchive={stateOf(view) === 'archived'}
        onRemove={() => void remove(selection.uuids)}
      />
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
        isOpen={view.create === true || edited !== null || copied !== null}
        link={edited}
        copyOf={copied}
        onClose={() => {
          setEdited(null)
          setCopied(null)
          if (view.create === true) setCreate(undefined)
        }}
      />
    </>
  )
}

/** Why the list is empty. Only an account without any link is asked to create its first one. */
function Nothing({
  view,
  ...actions
}: {
  readonly view: LinksView
  readonly onCreate: () => void
  readonly onImport: () => void
}) {
  const state = stateOf(view)
  const any = useQuery(linksQuery({}, undefined, 1))
  if (any.data === undefined) return <Skeletons count={6} className="h-16" />
  const isNew = any.data.meta.total === 0
  const kind = isNarrowed(view) || state === 'all' ? 'filtered' : state
  return <LinksEmpty kind={isNew && !isNarrowed(view) && state !== 'expired' ? 'new' : kind} {...actions} />
}
