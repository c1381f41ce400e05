import type { Data, Webhook } from '@waymark/sdk'
import { RefreshCw, Send } from 'lucide-react'
import { useState } from 'react'
import { api, sentenceOf } from '../../api/client.ts'
import { webhooksChanged } from '../../api/webhooks.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { momentOf } from '../../ui/times.ts'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookTest } from './webhook-test.tsx'

const eventsOf = (events: Webhook['events']): string =>
  events === null ? 'all' : events.length === 1 ? (events[0] ?? '') : `${events.length} selected`

/** Why deliveries fail, if they do. */
function troubleOf({ enabled, disabled_reason, failing_since }: Webhook): string | null {
  if (disabled_reason !== null) return `Disabled: ${disabled_reason}.`
  if (enabled && failing_since !== null) return `No delivery has succeeded since ${momentOf(failing_since)}.`
  return null
}

export function WebhookRow({
  webhook,
  onEdit,
  onRotate,
  onRemove,
}: {
  readonly webhook: Webhook
  readonly onEdit: () => void
  readonly onRotate: () => void
  readonly onRemove: () => void
}) {
  const [isBusy, setIsBusy] = useState(false)
  const [isShown, setIsShown] = useState(false)
  const [tested, setTested] = useState<Data<'testWebhook'> | null>(null)
  const { uuid, url, enabled } = webhook
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setIsBusy(true)
    try {
      await work()
      await webhooksChanged()
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  const test = (): Promise<void> =>
    attempt(async () => {
      setTested((await api.testWebhook({ uuid })).data)
      setIsShown(true)
    })
  const trouble = troubleOf(webhook)
  return (
    <li className="space-y-3 py-4 first:pt-0 last:pb-0">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{webhook.description ?? new URL(url).host}</p>
          <p className="font-mono text-sm wrap-anywhere text-muted">{url}</p>
          <p className="text-sm text-faint">
            Events: {eventsOf(webhook.events)}
            {!enabled && ', disabled'}
          </p>
          {webhook.previous_secret_expires_at !== null && (
            <p className="text-sm text-faint">
              Also signed with the previous secret until {momentOf(webhook.previous_secret_expires_at)}.
            </p>
          )}
        </div>
        <input
          type="checkbox"
          role="switch"
          className="switch mt-1"
          aria-label={`Enable ${url}`}
          checked={enabled}
          disabled={isBusy}
          onChange={(event) => {
            const isOn = event.target.checked
            void attempt(() => api.editWebhook({ uuid, enabled: isOn }, { ifMatch: webhook }))
          }}
        />
      </div>
      {trouble !== null && <Notice kind="warn">{trouble}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button icon={Send} isBusy={isBusy} disabled={!enabled} onClick={() => void test()}>
          Send test event
        </Button>
        <Button look="ghost" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide deliveries' : 'Deliveries'}
        </Button>
        <Button look="ghost" onClick={onEdit}>
          Edit
        </Button>
        <Button look="ghost" icon={RefreshCw} onClick={onRotate}>
          Rotate secret
        </Button>
        <Button look="quiet-danger" onClick={onRemove}>
          Remove
        </Button>
      </div>
      {tested !== null && <WebhookTest tested={tested} onClose={() => setTested(null)} />}
      {isShown && <WebhookDeliveries uuid={uuid} />}
    </li>
  )
}
