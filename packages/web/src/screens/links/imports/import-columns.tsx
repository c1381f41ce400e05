import type { Import } from '@waymark/sdk'
import { useState } from 'react'
import { sentenceOf } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/choices.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { fieldLabels } from '../link-form.ts'

/** The meaning of a column; null: it is ignored. */
export type ColumnChoice = Import['columns'][number]

const { reuse: _reuse, card: _card, cardImage: _cardImage, ...linkLabels } = fieldLabels

/** Possible meanings of a column, in the order of the list. */
const choosable: Readonly<Record<string, string>> = {
  ...linkLabels,
  tag: 'Tag',
  password: 'Password',
  short_url: 'Short URL',
  created_at: 'Created',
  clicks: 'Clicks so far',
  earlier_codes: 'Earlier short codes',
  geo: 'Destinations by country',
  rules: 'Rules',
  variants: 'Variants',
}

const meanings: Readonly<Record<string, string>> = {
  ...choosable,
  code: 'Short code',
  imported_clicks: 'Clicks so far',
  has_password: 'Has a password',
  banned: 'Banned',
}

const labelOf = (field: string): string => meanings[field] ?? field

/** The options of one column: its current meaning replaces the option with the same label. */
const optionsFor = (field: string | null): { value: string; label: string }[] => {
  const others = Object.keys(choosable).filter((each) => field === null || labelOf(each) !== labelOf(field))
  const all = field === null ? others : [field, ...others]
  return [{ value: '', label: 'Ignore' }, ...all.map((each) => ({ value: each, label: labelOf(each) }))]
}

/** The columns of a file and their meanings, which can be changed while the file is available. */
export function ImportColumns({
  columns,
  remap,
}: {
  readonly columns: Import['columns']
  readonly remap: ((choices: readonly ColumnChoice[]) => Promise<void>) | undefined
}) {
  const hasLink = columns.some(({ field }) => field === 'link')
  const [isOpen, setIsOpen] = useState(!hasLink && remap !== undefined)
  if (isOpen && remap !== undefined)
    return (
      <EditColumns columns={columns} remap={remap} onCancel={hasLink ? () => setIsOpen(false) : undefined} />
    )
  const ignored = columns.filter(({ field, column }) => field === null && column !== '')
  return (
    <section className="space-y-2">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">Columns</h3>
        {remap !== undefined && (
          <Button look="ghost" onClick={() => setIsOpen(true)}>
            Change columns
          </Button>
        )}
      </div>
      <ul aria-label="Columns" className="flex flex-wrap gap-1.5">
        {columns.map(
          ({ column, field }, at) =>
            field !== null && (
              <li key={at} className="rounded-md bg-sunken px-2.5 py-1 text-sm ring-1 ring-line ring-inset">
                <span className="font-mono">{column}</span>{' '}
                <span className="text-muted">→ {labelOf(field)}</span>
              </li>
            ),
        )}
      </ul>
      {ignored.length > 0 && (
        <Notice kind="info">Ignored: {ignored.map(({ column }) => column).join(', ')}</Notice>
      )}
    </section>
  )
}

function EditColumns({
  columns,
  remap,
  onCancel,
}: {
  readonly columns: Import['columns']
  readonly remap: (choices: readonly ColumnChoice[]) => Promise<void>
  /** Undefined: without a destination column there is nothing to return to. */
  readonly onCancel: (() => void) | undefined
}) {
  const named = columns.filter(
    ({ column }, at) => column !== '' && columns.findIndex((each) => each.column === column) === at,
  )
  const [choices, setChoices] = useState<readonly ColumnChoice[]>(named)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const hasLink = choices.some(({ field }) => field === 'link')
  const apply = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await remap(choices)
    } catch (error) {
      setFailure(sentenceOf(error))
      setIsBusy(false)
    }
  }
  return (
    <section aria-label="Columns" className="space-y-3">
      <div>
        <h3 className="text-sm font-semibold">What do the columns mean?</h3>
        <p className="text-sm text-muted">
          One of them must be the destination. The file is read again; nothing is imported yet.
        </p>
      </div>
      <div className="grid max-h-80 gap-3 overflow-y-auto p-1 sm:grid-cols-2">
        {choices.map(({ column, field }, at) => (
          <SelectField
            key={column}
            label={column}
            value={field ?? ''}
            onValue={(value) => setChoices(choices.with(at, { column, field: value === '' ? null : value }))}
            options={optionsFor(named[at]?.field ?? null)}
          />
        ))}
      </div>
      {failure !== null && <Notice kind="danger">{failure}</Notice>}
      <div className="flex justify-end gap-2">
        {onCancel !== undefined && (
          <Button look="ghost" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button
          look={onCancel === undefined ? 'primary' : 'plain'}
          isBusy={isBusy}
          disabled={!hasLink}
          onClick={() => void apply()}
        >
          Apply
        </Button>
      </div>
    </section>
  )
}
