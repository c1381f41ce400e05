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
  const [rotated, setRotated] = useState<Webhook | null>(null)
  const [secret, setSecret] = useState<Secret | null>(null)
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
              onRotate={() => setRotated(webhook)}
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
          <WebhookForm
            webhook={edited === 'new' ? null : edited}
            onClose={close}
            onSecret={(value) => setSecret({ title: 'Webhook added', value })}
          />
        )}
      </Dialog>
      <NewSecret secret={secret} onClose={() => setSecret(null)} />
      <Confirm
        isOpen={rotated !== null}
        onClose={() => setRotated(null)}
        title="Rotate the signing secret?"
        action="Rotate secret"
        onConfirm={async () => {
          const { data } = await api.rotateWebhookSecret({ uuid: rotated?.uuid ?? '' })
          setSecret({ title: 'New signing secret', value: data.secret })
          await webhooksChanged()
        }}
      >
        <p>
          <strong className="text-ink wrap-anywhere">{rotated?.url}</strong> gets a new secret. For 24 hours
          deliveries are signed with both, so that you can replace it without losing any.
        </p>
      </Confirm>
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

interface Secret {
  readonly title: string
  readonly value: string
}

/** A new secret, which is not shown again. */
function NewSecret({ secret, onClose }: { readonly secret: Secret | null; readonly onClose: () => void }) {
  return (
    <Dialog
      isOpen={secret !== null}
      onClose={onClose}
      title={secret?.title ?? ''}
      footer={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="space-y-5">
        <Notice kind="warn">Copy the secret now. It is not shown again.</Notice>
        <ShownOnce label="Signing secret" value={secret?.value ?? ''} />
        <p className="text-sm text-muted">
          Use it to verify that a delivery comes from Waymark. Deliveries are signed as Standard Webhooks
          specifies. Libraries exist for most languages.
        </p>
      </div>
    </Dialog>
  )
}
