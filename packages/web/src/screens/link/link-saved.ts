import type { Link } from '@waymark/sdk'
import { linkQuery } from '../../api/links.ts'
import { queryClient } from '../../api/query-client.ts'
import { linksChanged } from '../../api/shorten.ts'

/** Shows a link as it was saved, and fetches its history and the lists again. */
export const linkSaved = (link: Link): void => {
  queryClient.setQueryData(linkQuery(link.code, link.domain).queryKey, link)
  void linksChanged()
}
