import { useQuery } from '@tanstack/react-query'
import type { WebhookDelivery } from '@waymark/sdk'
import { CircleCheck, CircleX, Clock, type LucideIcon, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { api, sentenceOf } from '../../api/client.ts'
import { deliveriesQuery, webhooksChanged } from '../../api/webhooks.ts'
import { toast } from '../../shell/toasts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { counted } from '../../ui/numbers.ts'
import { ago, DAY_MS, momentOf } from '../../ui/times.ts'

const looks: Record<WebhookDelivery['state'], { icon: LucideIcon; className: string; name: string }> = {
  delivered: { icon: CircleCheck, className: 'text-brand', name: 'delivered' },
  pending: { icon: Clock, className: 'text-warn', name: 'pending' },
  failed: { icon: CircleX, className: 'text-danger', name: 'failed' },
}

type Redelivery = { readonly delivery: string } | { readonly since: string; readonly state: 'failed' }

/** Resends finished deliveries. */
function useRedelivery(uuid: string) {
  const [isBusy, setIsBusy] = useState(false)
  const redeliver = async (which: Redelivery): Promise<void> => {
    setIsBusy(true)
    try {
      const { data } = await api.redeliverWebhook({ uuid, ...which })
      toast.news(
        data.count === 0
          ? 'Nothing to redeliver'
          : `${counted(data.count, 'delivery', 'deliveries')} sent again`,
      )
      await webhooksChanged()
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, redeliver }
}

/** The latest deliveries of a webhook and their state. */
export function WebhookDeliveries({ uuid }: { readonly uuid: string }) {
  const query = useQuery(deliveriesQuery(uuid))
  const { isBusy, redeliver } = useRedelivery(uuid)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className="rounded-md bg-sunken px-4 py-2 text-sm" aria-live="polite">
      {query.data?.length === 0 && <p className="py-1 text-muted">No deliveries yet.</p>}
      <ul aria-label="Deliveries" className="divide-y divide-line">
        {query.data?.map((delivery) => (
          <DeliveryRow
            key={delivery.uuid}
            delivery={delivery}
            onRedeliver={() => void redeliver({ delivery: delivery.uuid })}
          />
        ))}
      </ul>
      {query.data?.some(({ state }) => state === 'failed') === true && (
        <Button
          look="ghost"
          icon={RotateCw}
          isBusy={isBusy}
          className="mt-1 -ml-3"
          onClick={() =>
            void redeliver({ since: new Date(Date.now() - DAY_MS).toISOString(), state: 'failed' })
          }
        >
          Redeliver everything that failed in the last 24 hours
        </Button>
      )}
    </div>
  )
}

function DeliveryRow({
  delivery,
  onRedeliver,
}: {
  readonly delivery: WebhookDelivery
  readonly onRedeliver: () => void
}) {
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
      {delivery.state !== 'pending' && (
        <IconButton
          label={`Redeliver ${delivery.type} of ${momentOf(delivery.created_at)}`}
          icon={RotateCw}
          className="-my-1"
          onClick={onRedeliver}
        />
      )}
    </li>
  )
}
