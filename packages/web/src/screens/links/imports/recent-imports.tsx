import { useQuery } from '@tanstack/react-query'
import type { Import } from '@waymark/sdk'
import { importsQuery } from '../../../api/imports.ts'
import { Button } from '../../../ui/button.tsx'
import { count, counted } from '../../../ui/numbers.ts'
import { ago } from '../../../ui/times.ts'

/** The state of an import in a few words. */
const stateOf = ({ state, processed, importable, created, error }: Import): string => {
  if (state === 'ready') return `${counted(importable, 'link')} ready to import`
  if (state === 'running') return `${count(processed)} of ${counted(importable, 'link')} done`
  if (state === 'done') return `${counted(created, 'link')} imported`
  if (state === 'failed') return error ?? 'Failed'
  return state === 'undoing' ? 'Being undone' : 'Undone'
}

/** Earlier imports: a running one continues when its tab is closed, and is listed here. */
export function RecentImports({ onOpen }: { readonly onOpen: (one: Import) => void }) {
  const { data } = useQuery(importsQuery)
  if (data === undefined || data.length === 0) return null
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-semibold">Recent imports</h3>
      <ul aria-label="Recent imports" className="divide-y divide-line rounded-md border border-line">
        {data.map((one) => (
          <li key={one.uuid} className="flex items-center justify-between gap-3 py-1.5 pr-1.5 pl-3 text-sm">
            <span className="min-w-0">
              <span className="block truncate font-semibold">{one.filename}</span>
              <span className="text-muted">
                {stateOf(one)}, {ago(one.created_at)}
              </span>
            </span>
            <Button
              look="ghost"
              aria-label={`Open the import of ${one.filename}`}
              onClick={() => onOpen(one)}
            >
              Open
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
