import { toast } from '../../shell/toasts.ts'
import { copyText } from '../../ui/copy.tsx'

/** Opens the system's share sheet for an address, or copies it if there is none. */
export async function share(url: string): Promise<void> {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ url })
      return
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
  }
  if (await copyText(url)) toast.news('Link copied')
}
