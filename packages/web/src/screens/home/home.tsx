import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/account.ts'
import { linksQuery } from '../../api/links.ts'
import { pagesQuery, qrcodesQuery } from '../../api/resources.ts'
import { useState } from 'react'
import { Skeletons, useTitle } from '../../ui/screen.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LastMonth } from './last-month.tsx'
import { QuickShorten } from './quick-shorten.tsx'
import { Recent, SHOWN_CODES, SHOWN_LINKS, SHOWN_PAGES } from './recent.tsx'

const greeting = (hour: number): string => {
  if (hour >= 5 && hour < 12) return 'Good morning'
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening'
}

export function Home() {
  useTitle('Home')
  const { data: profile } = useQuery(profileQuery)
  const [hour] = useState(() => new Date().getHours())
  const name = profile?.first_name ?? ''
  return (
    <div className="mx-auto max-w-5xl">
      <section className="mb-8 pt-2 lg:pt-6">
        <h1 className="mb-5 text-2xl sm:text-3xl">
          {greeting(hour)}
          {name !== '' && `, ${name}`}
        </h1>
        <QuickShorten />
      </section>
      <Overview />
    </div>
  )
}

/** Everything below the field. It appears at once when all lists are there, so that nothing moves afterwards. */
function Overview() {
  const links = useQuery(linksQuery({}, undefined, SHOWN_LINKS))
  const codes = useQuery(qrcodesQuery(undefined, SHOWN_CODES))
  const pages = useQuery(pagesQuery(undefined, SHOWN_PAGES))
  if (links.isPending || codes.isPending || pages.isPending) return <Skeletons count={3} className="h-56" />
  return (
    <div className="space-y-6">
      <FirstSteps
        link={links.data?.data.find((link) => link.owner === null)}
        code={codes.data?.data[0]}
        page={pages.data?.data[0]}
      />
      <LastMonth />
      <Recent />
    </div>
  )
}
