import type { Import } from '@waymark/sdk'
import { useState } from 'react'
import { sentenceOf } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Segments } from '../../../ui/choices.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { count, counted, noun } from '../../../ui/numbers.ts'
import { bare } from '../../../ui/plate.tsx'
import { dayOf } from '../../../ui/times.ts'
import { type ColumnChoice, ImportColumns } from './import-columns.tsx'

type OnTaken = NonNullable<Import['on_taken']>

const choices: readonly { value: OnTaken; label: string }[] = [
  { value: 'skip', label: 'Skip it (recommended)' },
  { value: 'rename', label: 'Give it a new code' },
  { value: 'fail', label: 'Stop' },
]

/** The result of an import with a choice: the number of created links, and the counters of all rows. */
function outcomeOf(
  { total, importable, taken }: Import,
  onTaken: OnTaken,
): { readonly created: number; readonly counters: string } {
  const isRenamed = onTaken === 'rename'
  const created = isRenamed ? importable : onTaken === 'fail' && taken > 0 ? 0 : importable - taken
  const invalid = total - importable
  const counters = [
    `${count(created)} new`,
    ...(taken > 0 ? [`${count(taken)} ${isRenamed ? 'of them renamed' : 'taken'}`] : []),
    ...(invalid > 0 ? [`${count(invalid)} invalid`] : []),
  ]
  return { created, counters: counters.join(' · ') }
}

/** The contents of the file, before anything is created. */
export function ImportPreview({
  read,
  note,
  action,
  run,
  remap,
  onBack,
}: {
  readonly read: Import
  /** A note about a file that is imported in parts. */
  readonly note?: string
  /** The label of the button; default: how many links are created. */
  readonly action?: string
  readonly run: (onTaken: OnTaken) => Promise<void>
  readonly remap: ((choices: readonly ColumnChoice[]) => Promise<void>) | undefined
  readonly onBack: () => void
}) {
  const [onTaken, setOnTaken] = useState<OnTaken>(read.on_taken ?? 'skip')
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(read.error)
  const start = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await run(onTaken)
    } catch (error) {
      setFailure(sentenceOf(error))
      setIsBusy(false)
    }
  }
  const { created, counters } = outcomeOf(read, onTaken)
  const hasLink = read.columns.some(({ field }) => field === 'link')
  const isStopped = onTaken === 'fail' && read.taken > 0
  return (
    <div className="space-y-5">
      {failure !== null && <Notice kind="danger">{failure}</Notice>}
      <div>
        {hasLink && (
          <p role="status" aria-label="Links in the file" className="text-lg font-semibold">
            {counters}
          </p>
        )}
        <p className="text-sm text-muted">
          {counted(read.total, 'row')} in <span className="wrap-anywhere">{read.filename}</span>
          {read.source === 'generic' ? '' : `, recognised as ${read.source}`}
        </p>
      </div>
      {note !== undefined && <Notice kind="info">{note}</Notice>}
      <ImportColumns columns={read.columns} remap={remap} />
      <FirstRows rows={read.rows} />
      <Problems read={read} isPreview />
      {(read.taken > 0 || action !== undefined) && (
        <div className="space-y-1.5">
          <Segments label="If a short code is taken" value={onTaken} onValue={setOnTaken} options={choices} />
          {isStopped && action === undefined && (
            <p className="text-sm text-muted">
              {counted(read.taken, 'short code')} {noun(read.taken, 'is', 'are')} taken, so nothing is
              imported.
            </p>
          )}
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="ghost" onClick={onBack}>
          Choose another file
        </Button>
        {hasLink && (
          <Button
            look="primary"
            isBusy={isBusy}
            disabled={action === undefined ? created === 0 : read.importable === 0}
            onClick={() => void start()}
          >
            {action ?? `Import ${counted(created, 'link')}`}
          </Button>
        )}
      </div>
    </div>
  )
}

function FirstRows({ rows }: { readonly rows: Import['rows'] }) {
  if (rows.length === 0) return null
  return (
    <div
      className="max-h-60 overflow-auto rounded-md border border-line"
      tabIndex={0}
      role="region"
      aria-label="First links"
    >
      <table className="w-full text-left text-sm">
        <thead className="bg-sunken text-xs text-muted">
          <tr>
            {['Line', 'Short code', 'Destination', 'Title', 'Tag', 'Created', 'Clicks'].map((head) => (
              <th key={head} scope="col" className="px-3 py-1.5 font-semibold whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.line}>
              <td className="px-3 py-1.5 tabular">{row.line}</td>
              <td className="px-3 py-1.5 font-mono whitespace-nowrap">{row.short_code ?? 'random'}</td>
              <td className="max-w-56 truncate px-3 py-1.5">{bare(row.link)}</td>
              <td className="max-w-40 truncate px-3 py-1.5">{row.title}</td>
              <td className="px-3 py-1.5">{row.tag}</td>
              <td className="px-3 py-1.5 whitespace-nowrap">
                {row.created_at === null ? '' : dayOf(row.created_at)}
              </td>
              <td className="px-3 py-1.5 tabular">{row.clicks}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Every problem by line; also shown after the import. */
export function Problems({
  read,
  isPreview = false,
}: {
  readonly read: Pick<Import, 'problems' | 'problem_count'>
  /** Whether skipping is still a choice. */
  readonly isPreview?: boolean
}) {
  if (read.problem_count === 0) return null
  const more = read.problem_count - read.problems.length
  return (
    <Notice kind="warn">
      <p className="mb-1 font-semibold">{counted(read.problem_count, 'problem')}</p>
      <ul className="max-h-44 space-y-0.5 overflow-y-auto" tabIndex={0} aria-label="Problems in the file">
        {read.problems.map(({ line, column, message, skipped }, at) => (
          <li key={at}>
            Line {line}
            {column !== null && `, ${column}`}: {message}
            {skipped && !isPreview && ' (skipped)'}
          </li>
        ))}
        {more > 0 && <li>and {counted(more, 'more problem', 'more problems')}</li>}
      </ul>
    </Notice>
  )
}
