import { useQuery } from '@tanstack/react-query'
import type { WebhookDelivery } from '@waymark/sdk'
import { CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import { deliveriesQuery } from '../../api/webhooks.ts'
import { Failure } from '../../ui/failure.tsx'
import { counted } from '../../ui/numbers.ts'
import { ago, momentOf } from '../../ui/times.ts'

const looks: Record<WebhookDelivery['state'], { icon: LucideIcon; className: string; name: string }> = {
  delivered: { icon: CircleCheck, className: 'text-brand', name: 'delivered' },
  pending: { icon: Clock, className: 'text-warn', name: 'pending' },
  failed: { icon: CircleX, className: 'text-danger', name: 'failed' },
}

/** The latest deliveries of a webhook and their state. */
export function WebhookDeliveries({ uuid }: { readonly uuid: string }) {
  const query = useQuery(deliveriesQuery(uuid))
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className="rounded-md bg-sunken px-4 py-2 text-sm" aria-live="polite">
      {query.data?.length === 0 && <p className="py-1 text-muted">No deliveries yet.</p>}
      <ul aria-label="Deliveries" className="divide-y divide-line">
        {query.data?.map((delivery) => (
          <DeliveryRow key={delivery.uuid} delivery={delivery} />
        ))}
      </ul>
    </div>
  )
}

function DeliveryRow({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { icon: Icon, className, name } = looks[delivery.state]
  const isRetried = delivery.state === 'pending' && delivery.attempts > 0
  return (
    <li className="flex items-start gap-3 py-2">
      <Icon aria-hidden size={17} className={`mt-0.5 shrink-0 ${className}`} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap justify-between gap-x-4">
          <span>
            <code className="font-semibold">{delivery.type}</code> {name}
            {delivery.error === null && delivery.status !== null && `, response ${delivery.status}`}
          </span>
          <time dateTime={delivery.created_at} title={momentOf(delivery.created_at)} className="text-muted">
            {ago(delivery.created_at)}
          </time>
        </p>
        {delivery.error !== null && <p className="wrap-anywhere text-muted">{delivery.error}</p>}
        {isRetried && delivery.next_attempt_at !== null && (
          <p className="text-muted">
            {counted(delivery.attempts, 'attempt')}, next {momentOf(delivery.next_attempt_at)}
          </p>
        )}
      </div>
    </li>
  )
}
