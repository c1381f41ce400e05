import { ClipboardPaste } from 'lucide-react'
import { useState } from 'react'
import { api, sentenceOf } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { SwitchField } from '../../ui/choices.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { counted } from '../../ui/numbers.ts'
import { bare } from '../../ui/plate.tsx'
import { bodyOfRow, MOST_ROWS, type PastedRow, pastedRows } from './pasted-rows.ts'
import { utmLinksChanged } from './utm-values.ts'

interface Made {
  readonly row: PastedRow
  /** The link to share; null if it could not be created. */
  readonly url: string | null
  readonly problem: string | null
}

/** Creates a UTM link for each row of a pasted spreadsheet. */
export function PasteRows() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button icon={ClipboardPaste} onClick={() => setIsOpen(true)}>
        Paste a spreadsheet
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Paste a spreadsheet" isWide>
        <PasteForm />
      </Dialog>
    </>
  )
}

function PasteForm() {
  const [text, setText] = useState('')
  const [shorten, setShorten] = useState(true)
  const [made, setMade] = useState<readonly Made[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const rows = pastedRows(text)
  const right = rows.filter(({ problem }) => problem === null)
  const create = async (): Promise<void> => {
    setIsBusy(true)
    // One after another, so that the links keep the order of the rows.
    for (const row of right) {
      try {
        const { data } = await api.generateUtm(bodyOfRow(row, shorten))
        setMade((before) => [...before, { row, url: data.short_url ?? data.utm_url, problem: null }])
      } catch (error) {
        setMade((before) => [...before, { row, url: null, problem: sentenceOf(error) }])
      }
    }
    setIsBusy(false)
    utmLinksChanged()
  }
  if (made.length > 0) return <Results made={made} total={right.length} isBusy={isBusy} />
  return (
    <div className="space-y-4">
      <TextArea
        label="Rows"
        rows={7}
        spellCheck={false}
        placeholder={
          'url\tsource\tmedium\tcampaign\tcontent\nhttps://example.com/shop\tnewsletter\temail\tspring-sale\theader'
        }
        hint="Copy the cells in your spreadsheet and paste them here. The first row may name the columns: url, source, medium, campaign, content, term. Otherwise they are read in this order."
        value={text}
        onValue={setText}
      />
      {rows.length > 0 && <RowTable rows={rows} />}
      {rows.length > MOST_ROWS && <Notice kind="warn">Paste at most {MOST_ROWS} rows at once.</Notice>}
      <SwitchField
        label="Create short links"
        hint="Easier to share, and their clicks are counted."
        isOn={shorten}
        onToggle={setShorten}
      />
      <div className="flex justify-end">
        <Button
          look="primary"
          isBusy={isBusy}
          disabled={right.length === 0 || rows.length > MOST_ROWS}
          onClick={() => void create()}
        >
          Create {counted(right.length, 'link')}
        </Button>
      </div>
    </div>
  )
}

const SHOWN = 20

function RowTable({ rows }: { readonly rows: readonly PastedRow[] }) {
  return (
    <div
      className="max-h-64 overflow-auto rounded-md border border-line"
      tabIndex={0}
      role="region"
      aria-label="Rows found"
    >
      <table className="w-full text-left text-sm">
        <thead className="bg-sunken text-xs text-muted">
          <tr>
            {['Row', 'Destination', 'Source / medium', 'Campaign', 'Content'].map((head) => (
              <th key={head} scope="col" className="px-3 py-1.5 font-semibold whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.slice(0, SHOWN).map(({ line, tags, problem }) => (
            <tr key={line} className={problem === null ? '' : 'text-danger'}>
              <td className="px-3 py-1.5 tabular">{line}</td>
              <td className="max-w-56 truncate px-3 py-1.5">{bare(tags.url)}</td>
              <td className="px-3 py-1.5 whitespace-nowrap">
                {problem ?? `${tags.source} / ${tags.medium}`}
              </td>
              <td className="px-3 py-1.5">{tags.campaign}</td>
              <td className="px-3 py-1.5">{tags.content}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN && (
        <p className="px-3 py-2 text-sm text-faint">
          and {counted(rows.length - SHOWN, 'more row', 'more rows')}
        </p>
      )}
    </div>
  )
}

function Results({
  made,
  total,
  isBusy,
}: {
  readonly made: readonly Made[]
  readonly total: number
  readonly isBusy: boolean
}) {
  const urls = made.flatMap(({ url }) => url ?? [])
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="font-semibold">
          {isBusy
            ? `Creating link ${made.length + 1} of ${total}`
            : `${counted(urls.length, 'link')} created`}
        </p>
        <CopyButton text={urls.join('\n')} label="Copy all" what="all links, one per line" look="primary" />
      </div>
      <ul aria-label="Links" className="max-h-96 divide-y divide-line overflow-y-auto" tabIndex={0}>
        {made.map(({ row, url, problem }) => (
          <li key={row.line} className="flex flex-wrap justify-between gap-x-4 py-1.5 text-sm">
            <span className="text-muted">
              {row.tags.campaign}, {row.tags.source} / {row.tags.medium}
            </span>
            {url === null ? (
              <span className="text-danger">{problem}</span>
            ) : (
              <span className="font-mono wrap-anywhere">{bare(url)}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
