import { toCsv } from '@waymark/contract/csv'
import { FileDown, FileSpreadsheet } from 'lucide-react'
import { useId, useState } from 'react'
import { api } from '../../api/client.ts'
import { linksChanged } from '../../api/shorten.ts'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Notice } from '../../ui/notice.tsx'
import { counted } from '../../ui/numbers.ts'
import { UploadBar, useUploadProgress } from '../../ui/upload-progress.tsx'
import { saveFile } from '../codes/save-file.ts'
import { inputNames } from './link-form.ts'

const header = inputNames.join(',')

const sample = toCsv([
  ['link', 'customLink', 'description', 'tag'],
  ['https://example.com/spring', 'spring', 'Spring catalogue', 'shop'],
  ['https://example.com/menu', null, 'On every table', null],
])

interface ImportValues {
  readonly file: File | null
}

/** Imports links from a CSV file. The server validates every row. */
export function ImportLinks({ onClose }: { readonly onClose: () => void }) {
  const formId = useId()
  const [outcome, setOutcome] = useState<string | null>(null)
  const { share, options } = useUploadProgress()
  const form = useForm<ImportValues>({ file: null }, async ({ file }) => {
    if (file === null) return { file }
    const { import: done } = await api.importLinks({ file: await snapshotOf(file) }, options)
    setOutcome(
      done.state === 'running'
        ? `${counted(done.importable, 'link')} are being imported in the background.`
        : `${counted(done.created, 'link')} imported.`,
    )
    void linksChanged()
    return { file: null }
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Import links"
      footer={
        outcome === null ? (
          <>
            <Button look="ghost" onClick={onClose}>
              Cancel
            </Button>
            <Button
              look="primary"
              type="submit"
              form={formId}
              isBusy={form.isBusy}
              disabled={form.values.file === null}
            >
              Import
            </Button>
          </>
        ) : (
          <>
            <Button look="ghost" onClick={() => setOutcome(null)}>
              Import another file
            </Button>
            <Button look="primary" autoFocus onClick={onClose}>
              Done
            </Button>
          </>
        )
      }
    >
      {outcome === null ? (
        <Form id={formId} form={form} className="space-y-5">
          <ChooseFile form={form} />
          <UploadBar share={share} />
          <ColumnsOfFile />
        </Form>
      ) : (
        <Notice kind="info">{outcome}</Notice>
      )}
    </Dialog>
  )
}

/** A file that is changed on the disk after it was chosen can no longer be read; a copy can always be sent again. */
async function snapshotOf(file: File): Promise<File> {
  try {
    return new File([await file.arrayBuffer()], file.name, { type: 'text/csv' })
  } catch (cause) {
    throw new Error('This file has changed since you selected it. Select it again.', { cause })
  }
}

function ChooseFile({ form }: { readonly form: ReturnType<typeof useForm<ImportValues>> }) {
  const faults = form.faults['file'] ?? []
  const { file } = form.values
  return (
    <>
      <FileDrop
        label="CSV file"
        hint="UTF-8, up to 32 MB. Files of Excel, Numbers, Google Sheets and other link services work. Up to 1,000 rows are imported at once, or none if a row is invalid; more run in the background."
        accept=".csv,text/csv,text/plain"
        prompt="Drop a CSV file here, or"
        icon={FileSpreadsheet}
        preview={null}
        chosen={file?.name ?? null}
        onFile={(files) => form.set('file', files?.[0] ?? null)}
        faults={faults.length > 0 ? ['Nothing was imported. Fix the errors listed below.'] : undefined}
      />
      {faults.length > 0 && (
        <Notice kind="danger">
          <ul className="max-h-52 space-y-1 overflow-y-auto" tabIndex={0} aria-label="Errors in the file">
            {faults.map((fault, at) => (
              <li key={`${at} ${fault}`}>{fault}</li>
            ))}
          </ul>
        </Notice>
      )}
      {form.failure !== null && form.faults['file'] === undefined && (
        <Notice kind="danger">{form.failure}</Notice>
      )}
    </>
  )
}

function ColumnsOfFile() {
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-semibold">The first row must contain column names</h3>
      <div className="flex items-center gap-1 rounded-md bg-sunken pl-3">
        <code
          className="min-w-0 flex-1 overflow-x-auto py-2 font-mono text-sm whitespace-nowrap"
          tabIndex={0}
        >
          {header}
        </code>
        <CopyButton text={header} label={null} what="header row" />
      </div>
      <p className="mt-1.5 text-sm text-faint">
        Only <code className="font-mono">link</code> is required. Files exported from Waymark work unchanged.
        Common column names of other services are recognised, such as{' '}
        <code className="font-mono">long_url</code> or <code className="font-mono">slug</code>.
      </p>
      <Button
        look="ghost"
        icon={FileDown}
        className="mt-2 -ml-3"
        onClick={() => saveFile('waymark-sample.csv', new Blob([sample], { type: 'text/csv' }))}
      >
        Download a sample file
      </Button>
    </section>
  )
}
