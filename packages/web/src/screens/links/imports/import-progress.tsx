import type { Import } from '@waymark/sdk'
import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, sentenceOf } from '../../../api/client.ts'
import { importQuery } from '../../../api/imports.ts'
import { queryClient } from '../../../api/query-client.ts'
import { linksChanged } from '../../../api/shorten.ts'
import { toast } from '../../../shell/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { count, counted } from '../../../ui/numbers.ts'
import { Problems } from './import-preview.tsx'

const titles: Record<Exclude<Import['state'], 'ready'>, string> = {
  running: 'Importing',
  done: 'Imported',
  failed: 'Nothing was imported',
  undoing: 'Undoing',
  undone: 'Undone',
}

export function ImportBar({ done, total }: { readonly done: number; readonly total: number }) {
  return (
    <progress
      aria-label="Import"
      max={Math.max(1, total)}
      value={done}
      className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-brand"
    />
  )
}

/** The progress of an import. It continues in the background when the tab is closed. */
export function ImportProgress({ job, onClose }: { readonly job: Import; readonly onClose: () => void }) {
  const [isBusy, setIsBusy] = useState(false)
  const { state, processed, importable } = job
  const isMoving = state === 'running' || state === 'undoing'
  useEffect(() => {
    if (!isMoving) void linksChanged()
  }, [isMoving])
  const undo = async (): Promise<void> => {
    setIsBusy(true)
    try {
      const { data } = await api.undoImport({ uuid: job.uuid })
      queryClient.setQueryData(importQuery(job.uuid).queryKey, data)
      await queryClient.invalidateQueries({ queryKey: ['imports'] })
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <div className="space-y-5">
      <div role="status" className="space-y-2">
        <p className="font-semibold">
          {state === 'ready' ? '' : titles[state]}: <span className="wrap-anywhere">{job.filename}</span>
        </p>
        {isMoving && (
          <>
            <ImportBar done={processed} total={importable} />
            <p className="text-sm text-muted">
              {count(processed)} of {counted(importable, 'link')}. You can close this tab: the import goes on,
              and is listed here when you come back.
            </p>
          </>
        )}
        {state === 'done' && (
          <p>
            {counted(job.created, 'link')} imported
            {job.skipped > 0 && `, ${count(job.skipped)} skipped`}
            {job.renamed > 0 && `, ${count(job.renamed)} renamed`}.
          </p>
        )}
        {state === 'undone' && <p>Every link of this import was removed.</p>}
      </div>
      {job.error !== null && <Notice kind="danger">{job.error}</Notice>}
      <Problems read={job} />
      <div className="flex justify-end gap-2">
        {(state === 'running' || state === 'done') && (
          <Button icon={Undo2} isBusy={isBusy} onClick={() => void undo()}>
            {state === 'running' ? 'Stop and undo' : 'Undo import'}
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          {isMoving ? 'Close' : 'Done'}
        </Button>
      </div>
    </div>
  )
}
