import type { Link } from '@waymark/sdk'
import { linkQuery } from '../../api/links.ts'
import { queryClient } from '../../api/query-client.ts'
import { linksChanged } from '../../api/shorten.ts'

/** Shows a saved link, and refetches its history and the lists. */
export const linkSaved = (link: Link): void => {
  queryClient.setQueryData(linkQuery(link.code, link.domain).queryKey, link)
  void linksChanged()
}
