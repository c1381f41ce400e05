import { useQuery } from '@tanstack/react-query'
import type { Import } from '@waymark/sdk'
import { useState } from 'react'
import { importQuery } from '../../api/imports.ts'
import { queryClient } from '../../api/query-client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ChooseFile } from './imports/choose-file.tsx'
import { ImportPreview } from './imports/import-preview.tsx'
import { ImportProgress } from './imports/import-progress.tsx'

/** Imports links from a file in three steps: choose it, look at what was found, follow the job. */
export function ImportLinks({ onClose }: { readonly onClose: () => void }) {
  const [uuid, setUuid] = useState<string | null>(null)
  const open = (read: Import): void => {
    queryClient.setQueryData(importQuery(read.uuid).queryKey, read)
    setUuid(read.uuid)
  }
  return (
    <Dialog isOpen onClose={onClose} title="Import links" isWide>
      {uuid === null ? (
        <ChooseFile onRead={open} />
      ) : (
        <OpenImport uuid={uuid} onBack={() => setUuid(null)} onClose={onClose} />
      )}
    </Dialog>
  )
}

function OpenImport({
  uuid,
  onBack,
  onClose,
}: {
  readonly uuid: string
  readonly onBack: () => void
  readonly onClose: () => void
}) {
  const { data } = useQuery(importQuery(uuid))
  if (data == null) return null
  return data.state === 'ready' ? (
    <ImportPreview read={data} onBack={onBack} />
  ) : (
    <ImportProgress job={data} onClose={onClose} />
  )
}
