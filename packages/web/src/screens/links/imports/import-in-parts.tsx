import { type Import, type ImportedFile, importFile, type ImportFileProgress } from '@waymark/sdk'
import { useEffect, useRef, useState } from 'react'
import { api, sentenceOf } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { linksChanged } from '../../../api/shorten.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { count, counted } from '../../../ui/numbers.ts'
import type { ReadPart } from './choose-file.tsx'
import type { ColumnChoice } from './import-columns.tsx'
import { ImportPreview, Problems } from './import-preview.tsx'
import { ImportBar } from './import-progress.tsx'

/** Imports a large file: a preview of its first part, then one part after another. */
export function ImportInParts({
  read,
  file,
  parts,
  imported,
  columns,
  remap,
  onBack,
  onClose,
}: ReadPart & {
  readonly file: File
  readonly remap: ((choices: readonly ColumnChoice[]) => Promise<void>) | undefined
  readonly onBack: () => void
  readonly onClose: () => void
}) {
  const [progress, setProgress] = useState<ImportFileProgress | null>(null)
  const [ended, setEnded] = useState<ImportedFile | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const closing = useRef<AbortController>(null)
  useEffect(() => () => closing.current?.abort(), [])

  const run = async (onTaken: Import['on_taken']): Promise<void> => {
    setEnded(null)
    setFailure(null)
    closing.current = new AbortController()
    const { signal } = closing.current
    setProgress({ part: 1, parts, step: 'upload', done: 0, total: 1, share: 0 })
    try {
      const choices = columns === null ? {} : { columns: [...columns] }
      setEnded(
        await importFile(api, file, { ...choices, on_taken: onTaken, onProgress: setProgress, signal }),
      )
    } catch (error) {
      if (!signal.aborted) setFailure(sentenceOf(error))
    } finally {
      void queryClient.invalidateQueries({ queryKey: ['imports'] })
      void linksChanged()
    }
  }

  if (progress === null) {
    const imports = ended?.imports.filter(({ state }) => state === 'done').length ?? 0
    const present = Math.max(imported, imports)
    const done = present === 0 ? '' : ` ${count(present)} of them are imported already.`
    return (
      <ImportPreview
        read={read}
        note={`This file is imported in ${count(parts)} parts, because it is over 32 MB.${done} Below is the first part.`}
        action={present === 0 ? `Import all ${count(parts)} parts` : 'Continue the import'}
        run={run}
        remap={remap}
        onBack={onBack}
      />
    )
  }
  const hasFailed = failure !== null || (ended !== null && ended.state !== 'done')
  const isMoving = ended === null && failure === null
  return (
    <div className="space-y-5">
      <div role="status" className="space-y-2">
        <p className="font-semibold">
          {isMoving ? 'Importing' : hasFailed ? 'Not all parts were imported' : 'Imported'}:{' '}
          <span className="wrap-anywhere">{file.name}</span>
        </p>
        {isMoving && <Moving progress={progress} />}
        {ended !== null && <p>{resultOf(ended)}</p>}
      </div>
      {hasFailed && (
        <Notice kind="danger">
          Part {count(ended?.imports.length ?? progress.part)} of {count(parts)}: {failure ?? ended?.error}.
          Go back to continue: no part is imported twice.
        </Notice>
      )}
      {ended !== null && <Problems read={ended} />}
      <div className="flex justify-end gap-2">
        {hasFailed && (
          <Button look="ghost" onClick={() => setProgress(null)}>
            Back to the choice
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          {isMoving ? 'Stop' : 'Done'}
        </Button>
      </div>
    </div>
  )
}

function Moving({ progress: { share, part, parts, step } }: { readonly progress: ImportFileProgress }) {
  return (
    <>
      <ImportBar done={share} total={1} />
      <p className="text-sm text-muted">
        Part {count(part)} of {count(parts)} is being {step === 'upload' ? 'uploaded' : 'imported'}. Keep this
        tab open until the last part is uploaded. To continue after a break, select the same file again: no
        part is imported twice.
      </p>
    </>
  )
}

const resultOf = ({ created, skipped, renamed }: ImportedFile): string =>
  [
    `${counted(created, 'link')} imported`,
    ...(skipped > 0 ? [`${count(skipped)} skipped`] : []),
    ...(renamed > 0 ? [`${count(renamed)} renamed`] : []),
  ].join(', ')
