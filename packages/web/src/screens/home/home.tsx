import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/account.ts'
import { useState } from 'react'
import { May, RoleNotice } from '../../ui/may.tsx'
import { useTitle } from '../../ui/screen.tsx'
import { rangeOf } from '../statistics/ranges.ts'
import { TopLinks } from '../statistics/top-links.tsx'
import { FirstSteps } from './first-steps.tsx'
import { QuickShorten } from './quick-shorten.tsx'
import { RecentCodes, RecentLinks } from './recent.tsx'
import { Tiles } from './tiles.tsx'

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
        <RoleNotice does="generateLink" lead="You can look around." />
        <May does="generateLink">
          <QuickShorten />
        </May>
      </section>
      {/* Each part loads and fails alone. */}
      <div className="space-y-6">
        <May does="generateLink">
          <FirstSteps />
        </May>
        <Tiles />
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <TopLinks title="Top links, 7 days" scope={{}} range={rangeOf('7d')} filters={{}} />
          <RecentLinks />
        </div>
        <RecentCodes />
      </div>
    </div>
  )
}
