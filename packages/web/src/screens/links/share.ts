import { toast } from '../../shell/toasts.ts'
import { copyText } from '../../ui/copy.tsx'

/** Hands an address to the system's share sheet; where there is none, it is copied. */
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
