import { type Link, WaymarkError } from '@waymark/sdk'
import { withScheme } from '../ui/addresses.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'

/** Refetches every query that lists or counts links. */
export const linksChanged = async (): Promise<void> => {
  await Promise.all(
    ['links', 'tags', 'plan'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )
}

/** Creates a short link for a pasted URL. Throws the message of the field if the URL is invalid. */
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
