import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

export const SAMPLE_TAG = 'sample'
export const SAMPLE_SLUG = 'sample-'
/** The beginning of the code's description. */
export const SAMPLE_TEXT = 'Sample:'

const links = [
  { link: 'https://example.com/spring-catalogue', title: 'Spring catalogue' },
  { link: 'https://example.com/menu', title: 'Restaurant menu' },
  { link: 'https://example.com/app', title: 'App download', ios_url: 'https://example.com/app/ios' },
] as const

/** Creates a few sample resources, so that an empty account has something to look at. The links have a tag. */
export const addSampleData = async (domain: string): Promise<void> => {
  for (const link of links) await api.generateLink({ ...link, tag: SAMPLE_TAG })
  await api.generateQr({
    url: 'https://example.com/menu',
    pattern: 'dots',
    color: '#0b5d4a',
    description: `${SAMPLE_TEXT} menu on the tables`,
    dynamic: true,
  })
  const page = {
    title: 'Sample page',
    subtext: 'Everything in one place.',
    slug: `${SAMPLE_SLUG}${crypto.randomUUID().slice(0, 8)}`,
    domain,
    logoStatus: 1,
    logoText: 'Sample',
    logoPosition: 'top-center',
    theme: { bggradient: ['#0c3b63', '#156179'], buttonBg: '#ffffff', buttonText: '#0c3b63' },
    buttons: [
      { id: 1, status: 1, label: 'Menu', url: 'https://example.com/menu' },
      { id: 2, status: 1, label: 'Book a table', url: 'https://example.com/book' },
    ],
  }
  await api.generatePage(page as unknown as Parameters<typeof api.generatePage>[0])
  await queryClient.invalidateQueries()
}
