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
        lead="Programs of yours are told what is made, edited and removed here."
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
            No webhooks yet. What is sent is signed, and sent again until it arrives.
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
        title={edited === 'new' ? 'Add a webhook' : 'Edit the webhook'}
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
          <strong className="text-ink wrap-anywhere">{removed?.url}</strong> is told nothing more, not even
          what is still on its way.
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
      title="Your new webhook"
      footer={
        <Button look="primary" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <div className="space-y-5">
        <Notice kind="warn">The secret is shown this once. Nobody can show it again, not even us.</Notice>
        <ShownOnce label="Signing secret" value={secret ?? ''} />
        <p className="text-sm text-muted">
          Your program checks with it that a message is ours. Messages are signed as Standard Webhooks says,
          for which there are libraries in most languages.
        </p>
      </div>
    </Dialog>
  )
}
