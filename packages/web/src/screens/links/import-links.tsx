import { useQuery } from '@tanstack/react-query'
import type { Import } from '@waymark/sdk'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { importQuery } from '../../api/imports.ts'
import { queryClient } from '../../api/query-client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { counted } from '../../ui/numbers.ts'
import { ChooseFile, type FileInParts } from './imports/choose-file.tsx'
import { ImportInParts } from './imports/import-in-parts.tsx'
import { ImportPreview } from './imports/import-preview.tsx'
import { ImportProgress } from './imports/import-progress.tsx'

/** What is imported: an upload, and the file if it has more parts. */
interface Opened {
  readonly uuid: string
  readonly inParts: FileInParts | null
}

/** Imports links from a file in three steps: choose it, look at what was found, follow the job. */
export function ImportLinks({ onClose }: { readonly onClose: () => void }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const open = (read: Import, inParts: FileInParts | null): void => {
    queryClient.setQueryData(importQuery(read.uuid).queryKey, read)
    setOpened({ uuid: read.uuid, inParts })
  }
  return (
    <Dialog isOpen onClose={onClose} title="Import links" isWide>
      {opened === null ? (
        <ChooseFile onRead={open} />
      ) : (
        <OpenImport {...opened} onBack={() => setOpened(null)} onClose={onClose} />
      )}
    </Dialog>
  )
}

function OpenImport({
  uuid,
  inParts,
  onBack,
  onClose,
}: Opened & {
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
  if (inParts !== null)
    return <ImportInParts read={data} inParts={inParts} onBack={onBack} onClose={onClose} />
  return data.state === 'ready' ? (
    <ImportPreview
      read={data}
      action={`Import ${counted(data.importable, 'link')}`}
      run={run}
      onBack={onBack}
    />
  ) : (
    <ImportProgress job={data} onClose={onClose} />
  )
}
