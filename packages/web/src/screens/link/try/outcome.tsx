import type { Data, Link } from '@waymark/sdk'
import { CircleCheck, CircleX, MapPin } from 'lucide-react'
import { conditionsInWords } from '../rules/rule-words.ts'

type Simulation = Data<'simulateLink'>

type Redirected = 'rule' | 'variant' | 'link'

interface Stop {
  readonly title: string
  readonly why: string
}

const withoutRedirect: Record<Exclude<Simulation['reason'], Redirected>, Stop> &
  Partial<Record<Redirected, Stop>> = {
  preview: { title: 'The social preview (200)', why: 'The visitor is an app that draws a card of the link.' },
  not_opened: {
    title: 'A page without the destination (200)',
    why: 'The visitor is a crawler, and a redirect would use up a click.',
  },
  password: { title: 'Asked for the password', why: 'The link has a password.' },
  not_active_yet: {
    title: '“This link is not active yet” (404)',
    why: 'The visit is before the start of the link.',
  },
  expired: {
    title: '“This link has ended” (410)',
    why: 'The link has expired or reached its click limit.',
  },
  no_such_path: {
    title: '“This link does not exist” (404)',
    why: 'The path after the short link is not forwarded.',
  },
  removed: { title: '“This link has ended” (410)', why: 'The link was removed.' },
  blocked: {
    title: '“This link is blocked” (410)',
    why: 'The operator of this service has blocked the link.',
  },
}

/** What decided, as a sentence. */
const whyOf = ({ reason, rule, variant }: Simulation, { rules }: Link): string => {
  if (reason === 'variant') return `Variant ${variant ?? ''} was chosen for this visitor.`
  if (reason !== 'rule')
    return rules.length === 0 ? 'The link has no rules.' : 'No rule matched, so the destination applies.'
  if (rule === 'ios') return 'The visitor uses iOS, which has its own destination.'
  if (rule === 'android') return 'The visitor uses Android, which has its own destination.'
  const matched = rules[rule ?? 0]
  return `Rule ${Number(rule) + 1} matched${matched === undefined ? '' : `: ${conditionsInWords(matched.if)}`}.`
}

/** Where the described visitor would be sent, and why. */
export function Outcome({ simulation, link }: { readonly simulation: Simulation; readonly link: Link }) {
  const { url, status, rule, reason, forwarded } = simulation
  const stopped = withoutRedirect[reason]
  const decided = typeof rule === 'number' ? rule : link.rules.length
  return (
    <section aria-label="Result" aria-live="polite" className="space-y-4">
      <div className="rounded-lg bg-brand-soft p-4">
        <p className="mb-1 flex items-center gap-2 text-sm font-semibold text-brand-strong">
          <MapPin aria-hidden size={16} />
          {url === null ? 'No redirect' : `Redirected (${status}) to`}
        </p>
        <p className="font-mono text-sm wrap-anywhere">{url ?? stopped?.title ?? `Status ${status}`}</p>
      </div>
      <p>
        <span className="font-semibold">Why:</span> {stopped?.why ?? whyOf(simulation, link)}
        {forwarded && ' The path or parameters of the visitor were added.'}
      </p>
      {link.rules.length > 0 && stopped === undefined && (
        <ol className="space-y-1.5 text-sm">
          {link.rules.map((one, at) => (
            <li key={at} className={`flex items-start gap-2 ${at > decided ? 'text-faint' : ''}`}>
              {at === rule ? (
                <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-brand" />
              ) : (
                <CircleX aria-hidden size={16} className="mt-0.5 shrink-0 text-faint" />
              )}
              <span>
                Rule {at + 1} {at === rule ? 'matched' : at > decided ? 'was not tried' : 'did not match'}:{' '}
                {conditionsInWords(one.if)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
