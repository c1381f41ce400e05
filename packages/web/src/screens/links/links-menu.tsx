import { ChevronDown, FileDown, FileUp } from 'lucide-react'
import { exportAddress, type LinkFilter } from '../../api/links.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { openDownload } from '../codes/save-file.ts'

/** Links as a file, in and out. */
export function LinksMenu({
  filter,
  onImport,
}: {
  readonly filter: LinkFilter
  readonly onImport: () => void
}) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
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
      <MenuItem icon={FileUp} onSelect={onImport}>
        Import CSV
      </MenuItem>
      <MenuItem icon={FileDown} onSelect={() => openDownload(exportAddress(filter))}>
        {isFiltered ? 'Export results as CSV' : 'Export CSV'}
      </MenuItem>
    </Menu>
  )
}
