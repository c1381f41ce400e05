import { useQuery } from '@tanstack/react-query'
import type { UtmLink } from '@waymark/sdk'
import { useState } from 'react'
import { utmLinksQuery } from '../../api/resources.ts'
import { May, RoleNotice } from '../../ui/may.tsx'
import { ScreenHead } from '../../ui/screen.tsx'
import { PasteRows } from './paste-rows.tsx'
import { UtmForm } from './utm-form.tsx'
import { UtmList } from './utm-list.tsx'

export function Utm() {
  const [edited, setEdited] = useState<UtmLink | null>(null)
  const { data } = useQuery(utmLinksQuery(undefined, 500))
  const links = data?.data ?? []
  return (
    <>
      <ScreenHead
        title="Campaigns"
        lead="Links with UTM parameters show your analytics where each visitor came from."
      >
        <May does="generateUtm">
          <PasteRows />
        </May>
      </ScreenHead>
      <div className="space-y-8">
        <RoleNotice does="generateUtm" lead="You can look at campaigns and copy their links." />
        <May does="generateUtm">
          <UtmForm
            key={edited?.uuid ?? 'new'}
            edited={edited}
            earlier={links}
            onDone={() => setEdited(null)}
          />
        </May>
        <UtmList onEdit={setEdited} />
      </div>
    </>
  )
}
