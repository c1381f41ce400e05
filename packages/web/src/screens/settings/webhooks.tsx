import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '@waymark/sdk'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { webhooksChanged, webhooksQuery } from '../../api/webhooks.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/screen.tsx'
import { ShownOnce } from './shown-once.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

export function WebhookSettings() {
  const query = useQuery(webhooksQuery)
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null)
  const [removed, setRemoved] = useState<Webhook | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const close = (): void => setEdited(null)
  return (
    <>
      <Card
        title="Webhooks"
        lead="Waymark calls your server when a resource is created, edited or removed."
        aside={
          <Button look="primary" icon={Plus} onClick={() => setEdited('new')}>
            Add webhook
          </Button>
        }
      >
        {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        {query.data?.length === 0 && (
          <p className="flex items-center gap-3 text-muted">
            <WebhookIcon aria-hidden size={20} className="shrink-0" />
            No webhooks yet. Deliveries are signed, and retried when they fail.
          </p>
        )}
        <ul className="divide-y divide-line">
          {query.data?.map((webhook) => (
            <WebhookRow
              key={webhook.uuid}
              webhook={webhook}
              onEdit={() => setEdited(webhook)}
              onRemove={() => setRemoved(webhook)}
            />
          ))}
        </ul>
      </Card>
      <Dialog
        isOpen={edited !== null}
        onClose={close}
        title={edited === 'new' ? 'Add webhook' : 'Edit webhook'}
        isBare
      >
        {edited !== null && (
          <WebhookForm webhook={edited === 'new' ? null : edited} onClose={close} onSecret={setSecret} />
        )}
      </Dialog>
      <NewSecret secret={secret} onClose={() => setSecret(null)} />
      <Confirm
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        title="Remove this webhook?"
        action="Remove"
        onConfirm={async () => {
          toast.news((await api.removeWebhook({ uuid: removed?.uuid ?? '' })).message)
          await webhooksChanged()
        }}
      >
        <p>
          <strong className="text-ink wrap-anywhere">{removed?.url}</strong> receives no more events. Pending
          deliveries are discarded.
        </p>
      </Confirm>
    </>
  )
}

/** The secret of a new webhook, this once. */
function NewSecret({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }) {
  return (
    <Dialog
      isOpen={secret !== null}
      onClose={onClose}
      title="Webhook added"
      footer={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="space-y-5">
        <Notice kind="warn">Copy the secret now. It is not shown again.</Notice>
        <ShownOnce label="Signing secret" value={secret ?? ''} />
        <p className="text-sm text-muted">
          Use it to verify that a delivery comes from Waymark. Deliveries are signed as Standard Webhooks
          specifies. Libraries exist for most languages.
        </p>
      </div>
    </Dialog>
  )
}
