import type { Link } from '@waymark/sdk'
import { api } from '../../api/client.ts'
import { removeToTrash } from '../../api/removal.ts'

/** Moves links to the trash. Returns whether they were removed. */
export const removeLinks = (links: readonly Link[]): Promise<boolean> =>
  removeToTrash({
    uuids: links.map(({ uuid }) => uuid),
    what: 'link',
    stakes: {
      visits: links.reduce((sum, { clicks }) => sum + clicks, 0),
      visit: 'click',
      mayBePrinted: false,
    },
    remove: (uuids) => api.removeLinks({ uuids }),
  })
