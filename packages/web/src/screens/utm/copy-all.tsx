import { ClipboardList } from 'lucide-react'
import { useState } from 'react'
import { api, sentenceOf } from '../../api/client.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.tsx'
import { counted } from '../../ui/numbers.ts'

/** Copies every link of a search, one per line, newest first. */
export function CopyAll({ search }: { readonly search: string | undefined }) {
  const [isBusy, setIsBusy] = useState(false)
  const copy = async (): Promise<void> => {
    setIsBusy(true)
    try {
      const urls: string[] = []
      for await (const link of api.all('utmLinks', { search, limit: 1000 }))
        urls.push(link.short_url ?? link.utm_url)
      if (await copyText(urls.join('\n'))) toast.news(`${counted(urls.length, 'link')} copied`)
      else toast.failure('Your browser blocked copying.')
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button icon={ClipboardList} isBusy={isBusy} onClick={() => void copy()}>
      Copy all
    </Button>
  )
}
