import type { VisitorTexts } from '@waymark/page/load-language'
import type { ReactNode } from 'react'
import { Contours } from '../../brand/contours.tsx'
import { Wordmark } from '../../brand/mark.tsx'
import { useTitle } from '../../ui/screen.tsx'

/** The properties of a screen in the language of the browser. */
export interface SpokenProps {
  readonly words: VisitorTexts
  readonly language: string
}

/** The layout of screens before the dashboard: a form, with a landscape behind it. */
export function AuthFrame({
  title,
  lead,
  children,
  foot,
  sign,
  language,
  noThirdParties = 'Self-hosted. This page sends no requests to third parties.',
}: {
  readonly title: string
  readonly lead: string
  readonly children: ReactNode
  readonly foot?: ReactNode
  /** The text on the first plate of the signpost. */
  readonly sign?: string
  /** Language of the texts, if it differs from that of the dashboard. */
  readonly language?: string
  readonly noThirdParties?: string
}) {
  useTitle(title)
  return (
    <div
      lang={language}
      className="relative grid min-h-dvh overflow-hidden lg:grid-cols-[minmax(30rem,1fr)_minmax(0,1.15fr)]"
    >
      <main className="relative z-10 flex flex-col bg-surface px-6 py-8 sm:px-12">
        <Wordmark />
        <div className="mx-auto my-auto w-full max-w-sm py-10">
          <h1 className="text-3xl">{title}</h1>
          <p className="mt-2 mb-8 text-muted">{lead}</p>
          {children}
          {foot !== undefined && <div className="mt-8 text-sm text-muted">{foot}</div>}
        </div>
        <p className="text-xs text-faint">{noThirdParties}</p>
      </main>
      <aside aria-hidden className="relative hidden bg-[#0b4638] text-[#ffffff2e] lg:block">
        <Contours className="absolute inset-0 size-full" />
        <Signpost sign={sign} />
      </aside>
    </div>
  )
}

const plates = [
  { y: 0, width: 300, text: 'go/spring-sale', points: 'right' },
  { y: 78, width: 250, text: 'go/menu', points: 'left' },
  { y: 156, width: 280, text: 'go/tickets-26', points: 'right' },
] as const

const MAX_ON_PLATE = 18

const shortened = (text: string): string =>
  text.length > MAX_ON_PLATE ? `${text.slice(0, MAX_ON_PLATE - 1).trimEnd()}…` : text

function Signpost({ sign }: { readonly sign: string | undefined }) {
  return (
    <svg viewBox="-30 0 500 640" className="absolute inset-x-0 bottom-0 mx-auto h-[78%] max-w-full">
      <rect x="200" y="70" width="20" height="570" rx="6" fill="#e9efeb" />
      <rect x="200" y="330" width="20" height="26" fill="#ffc52e" />
      <rect x="200" y="304" width="20" height="26" fill="#b3261e" />
      {plates.map(({ y, width, text, points }) => {
        const words = y === 0 && sign !== undefined ? shortened(sign) : text
        const left = points === 'right' ? 150 : 270 - width
        const top = 92 + y
        const path =
          points === 'right'
            ? `M${left} ${top}h${width - 34}l34 29-34 29h-${width - 34}z`
            : `M${left + width} ${top}h-${width - 34}l-34 29 34 29h${width - 34}z`
        return (
          <g key={text}>
            <path d={path} fill="#ffc52e" stroke="#241d02" strokeOpacity="0.25" />
            <text
              x={left + (points === 'right' ? 22 : 52)}
              y={top + 37}
              fontSize="22"
              fontWeight="600"
              fill="#241d02"
            >
              {words}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
