import { useQuery } from '@tanstack/react-query'
import { type Import, previewFile } from '@waymark/sdk'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { importQuery } from '../../api/imports.ts'
import { queryClient } from '../../api/query-client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ChooseFile, type ReadPart } from './imports/choose-file.tsx'
import { ImportInParts } from './imports/import-in-parts.tsx'
import type { ColumnChoice } from './imports/import-columns.tsx'
import { ImportPreview } from './imports/import-preview.tsx'
import { ImportProgress } from './imports/import-progress.tsx'

/** Imports links from a file in three steps: choose it, check the preview, follow the import. */
export function ImportLinks({ onClose }: { readonly onClose: () => void }) {
  const [opened, setOpened] = useState<(Omit<ReadPart, 'read'> & { readonly uuid: string }) | null>(null)
  const open = ({ read, ...rest }: ReadPart): void => {
    queryClient.setQueryData(importQuery(read.uuid).queryKey, read)
    setOpened({ uuid: read.uuid, ...rest })
  }
  return (
    <Dialog isOpen onClose={onClose} title="Import links" isWide>
      {opened === null ? (
        <ChooseFile onRead={open} />
      ) : (
        <OpenImport
          key={opened.uuid}
          {...opened}
          onRead={open}
          onBack={() => setOpened(null)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

function OpenImport({
  uuid,
  file,
  parts,
  imported,
  columns,
  onRead,
  onBack,
  onClose,
}: Omit<ReadPart, 'read'> & {
  readonly uuid: string
  readonly onRead: (part: ReadPart) => void
  readonly onBack: () => void
  readonly onClose: () => void
}) {
  const { data } = useQuery(importQuery(uuid))
  const run = async (onTaken: Import['on_taken']): Promise<void> => {
    const { queryKey } = importQuery(uuid)
    const { data: started } = await api.runImport({ uuid, on_taken: onTaken })
    queryClient.setQueryData(queryKey, started)
    void queryClient.invalidateQueries({ queryKey })
  }
  if (data == null) return null
  // The file is read again with the chosen columns; it need not be selected again.
  const remap =
    file === null
      ? undefined
      : async (choices: readonly ColumnChoice[]): Promise<void> => {
          const again = await previewFile(api, file, { columns: [...choices] })
          onRead({ file, read: again.import, parts: again.parts, imported: again.imported, columns: choices })
        }
  if (file !== null && parts > 1)
    return (
      <ImportInParts
        read={data}
        file={file}
        parts={parts}
        imported={imported}
        columns={columns}
        remap={remap}
        onBack={onBack}
        onClose={onClose}
      />
    )
  // A failed import can be run again with another choice.
  return data.state === 'ready' || data.runnable_until !== null ? (
    <ImportPreview read={data} run={run} remap={remap} onBack={onBack} />
  ) : (
    <ImportProgress job={data} onClose={onClose} />
  )
}
