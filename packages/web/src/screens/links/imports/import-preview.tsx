import type { Import } from '@waymark/sdk'
import { useState } from 'react'
import { sentenceOf } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/choices.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { counted } from '../../../ui/numbers.ts'
import { bare } from '../../../ui/plate.tsx'
import { dayOf } from '../../../ui/times.ts'
import { fieldLabels } from '../link-form.ts'

type OnTaken = NonNullable<Import['on_taken']>

const choices: readonly { value: OnTaken | ''; label: string }[] = [
  { value: '', label: 'Replace random ones, else stop' },
  { value: 'skip', label: 'Skip the link' },
  { value: 'rename', label: 'Give it a random short code' },
  { value: 'fail', label: 'Import nothing' },
]

const meanings: Readonly<Record<string, string>> = {
  ...fieldLabels,
  tag: 'Tag',
  created_at: 'Created',
  clicks: 'Clicks so far',
  imported_clicks: 'Clicks so far',
  password: 'Password',
  code: 'Short code',
  earlier_codes: 'Earlier short codes',
}

/** What was found in the file, before anything is created. */
export function ImportPreview({
  read,
  note,
  action,
  run,
  onBack,
}: {
  readonly read: Import
  /** What to know about a file that is imported in parts. */
  readonly note?: string
  readonly action: string
  readonly run: (onTaken: Import['on_taken']) => Promise<void>
  readonly onBack: () => void
}) {
  const [onTaken, setOnTaken] = useState<OnTaken | ''>(read.on_taken ?? '')
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const start = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await run(onTaken === '' ? null : onTaken)
    } catch (error) {
      setFailure(sentenceOf(error))
      setIsBusy(false)
    }
  }
  const ignored = read.columns.filter(({ field }) => field === null)
  return (
    <div className="space-y-5">
      <p>
        <strong>{counted(read.importable, 'link')}</strong> of {counted(read.total, 'row')} in{' '}
        <strong className="wrap-anywhere">{read.filename}</strong> can be imported
        {read.source === 'generic' ? '.' : ` (recognised as ${read.source}).`}
      </p>
      {note !== undefined && <Notice kind="info">{note}</Notice>}
      <Columns columns={read.columns} />
      {ignored.length > 0 && (
        <Notice kind="info">Ignored: {ignored.map(({ column }) => column).join(', ')}</Notice>
      )}
      <FirstRows rows={read.rows} />
      <Problems read={read} />
      <SelectField label="If a short code is taken" value={onTaken} onValue={setOnTaken} options={choices} />
      {failure !== null && <Notice kind="danger">{failure}</Notice>}
      <div className="flex justify-end gap-2">
        <Button look="ghost" onClick={onBack}>
          Choose another file
        </Button>
        <Button look="primary" isBusy={isBusy} disabled={read.importable === 0} onClick={() => void start()}>
          {action}
        </Button>
      </div>
    </div>
  )
}

function Columns({ columns }: { readonly columns: Import['columns'] }) {
  const known = columns.filter(({ field }) => field !== null)
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-semibold">Columns</h3>
      <ul aria-label="Columns" className="flex flex-wrap gap-1.5">
        {known.map(({ column, field }) => (
          <li key={column} className="rounded-md bg-sunken px-2.5 py-1 text-sm ring-1 ring-line ring-inset">
            <span className="font-mono">{column}</span>{' '}
            <span className="text-muted">→ {meanings[field ?? ''] ?? field}</span>
          </li>
        ))}
      </ul>
    </section>
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
              <td className="px-3 py-1.5 font-mono">{row.short_code ?? 'random'}</td>
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
export function Problems({ read }: { readonly read: Pick<Import, 'problems' | 'problem_count'> }) {
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
            {skipped && ' (skipped)'}
          </li>
        ))}
        {more > 0 && <li>and {counted(more, 'more problem', 'more problems')}</li>}
      </ul>
    </Notice>
  )
}
