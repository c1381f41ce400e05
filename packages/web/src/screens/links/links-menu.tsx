import { ChevronDown, FileDown, FileUp } from 'lucide-react'
import { exportAddress } from '../../api/links.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { openDownload } from '../codes/save-file.ts'
import { filterOf, isNarrowed, type LinksView } from './links-view.ts'

/** Import and export of links. */
export function LinksMenu({ view, onImport }: { readonly view: LinksView; readonly onImport: () => void }) {
  // Without a search or filter the file contains every link, including archived and expired ones.
  const isFiltered = isNarrowed(view) || view.state !== undefined
  return (
    <Menu
      label="Import and export"
      hasOwnText
      triggerClassName="button button-plain"
      trigger={
        <>
          CSV
          <ChevronDown aria-hidden size={16} className="shrink-0" />
        </>
      }
    >
      <MenuItem does="importLinks" icon={FileUp} onSelect={onImport}>
        Import CSV
      </MenuItem>
      <MenuItem
        icon={FileDown}
        onSelect={() => openDownload(exportAddress(isFiltered ? filterOf(view) : {}))}
      >
        {isFiltered ? 'Export results as CSV' : 'Export CSV'}
      </MenuItem>
    </Menu>
  )
}
