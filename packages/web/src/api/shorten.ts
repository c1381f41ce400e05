import { type Link, WaymarkError } from '@waymark/sdk'
import { withScheme } from '../ui/addresses.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'

/** Everything that shows links, or counts them, asks again. */
export const linksChanged = async (): Promise<void> => {
  await Promise.all(
    ['links', 'tags', 'plan'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )
}

/** Makes a short link of whatever was pasted; a refusal of the address is said in its own sentence. */
export async function shorten(address: string): Promise<Link> {
  try {
    const { data } = await api.generateLink({ link: withScheme(address) })
    void linksChanged()
    return data
  } catch (error) {
    const about = error instanceof WaymarkError ? error.errors['link'] : undefined
    throw about === undefined ? error : new Error(about.join('. '), { cause: error })
  }
}
