import { toCsv } from '@waymark/contract/csv'
import { IMPORT_FILE_BYTES } from '@waymark/contract'
import { type Import, previewFile } from '@waymark/sdk'
import { FileDown, FileSpreadsheet } from 'lucide-react'
import { api } from '../../../api/client.ts'
import { FormFailure } from '../../../forms/form-failure.tsx'
import { Form } from '../../../forms/form.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { UploadBar, useUploadProgress } from '../../../ui/upload-progress.tsx'
import { saveFile } from '../../codes/save-file.ts'
import { inputNames } from '../link-form.ts'
import type { ColumnChoice } from './import-columns.tsx'
import { RecentImports } from './recent-imports.tsx'

const header = inputNames.join(',')

const sample = toCsv([
  ['link', 'customLink', 'title', 'tags'],
  ['https://example.com/spring', 'spring', 'Spring catalogue', 'shop'],
  ['https://example.com/menu', null, 'On every table', null],
])

/** A chosen file that is changed on disk can no longer be read; a copy can always be sent again. */
async function snapshotOf(file: File): Promise<File> {
  try {
    return new File([await file.arrayBuffer()], file.name, { type: 'text/csv' })
  } catch (cause) {
    throw new Error('This file has changed since you selected it. Select it again.', { cause })
  }
}

interface ImportValues {
  readonly file: File | null
}

/** The first part of a file, which is usually all of it. */
export interface ReadPart {
  readonly read: Import
  /** Null: an earlier import, whose file is only on the server. */
  readonly file: File | null
  readonly parts: number
  /** Number of parts that are already imported. */
  readonly imported: number
  /** The chosen meanings of columns; null: detected by name. */
  readonly columns: readonly ColumnChoice[] | null
}

/** The first step: a file, which is read but not imported yet, or an earlier import. */
export function ChooseFile({ onRead }: { readonly onRead: (part: ReadPart) => void }) {
  const { share, options } = useUploadProgress()
  const form = useForm<ImportValues>({ file: null }, async ({ file }) => {
    if (file === null) return { file }
    // A copy of a large file would take too much memory.
    const source = file.size > IMPORT_FILE_BYTES ? file : await snapshotOf(file)
    const preview = await previewFile(api, source, {
      onProgress: ({ done, total }) => options.onUploadProgress({ loaded: done, total }),
    })
    const { import: read, parts, imported } = preview
    onRead({ read, file: source, parts, imported, columns: null })
    return { file: null }
  })
  return (
    <Form form={form} className="space-y-5">
      <FileDrop
        label="File"
        hint="CSV or JSON of any size, bookmarks as HTML, or an SQL dump of YOURLS. Files of Bitly, Dub, Kutt, Rebrandly, Short.io, Shlink, TinyURL and Pocket are recognised. Nothing is imported before you have seen a preview."
        accept=".csv,.tsv,.txt,.json,.html,.htm,.sql,text/csv,text/plain,application/json,text/html"
        prompt="Drop a file here, or"
        icon={FileSpreadsheet}
        preview={null}
        chosen={form.values.file?.name ?? null}
        onFile={(files) => form.set('file', files?.[0] ?? null)}
        faults={form.faults['file']}
      />
      <FormFailure form={form} />
      <UploadBar share={share} />
      <div className="flex justify-end">
        <Button look="primary" type="submit" isBusy={form.isBusy} disabled={form.values.file === null}>
          Preview
        </Button>
      </div>
      <RecentImports onOpen={(read) => onRead({ read, file: null, parts: 1, imported: 0, columns: null })} />
      <ColumnsOfFile />
    </Form>
  )
}

function ColumnsOfFile() {
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-semibold">Columns of a CSV file</h3>
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
        The first row must contain column names. Only <code className="font-mono">link</code> is required.
        Other names can be matched in the next step. Files exported from Waymark work unchanged.
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
