import { type EventType, eventTypes } from '@waymark/contract'
import type { Webhook } from '@waymark/sdk'
import { api } from '../../api/client.ts'
import { webhooksChanged } from '../../api/webhooks.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { namedBy } from '../../forms/field-names.ts'
import { orNull } from '../../forms/or-null.ts'
import { useRowForm } from '../../forms/use-row-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/choices.tsx'
import { useDialogGuard } from '../../ui/dialog-guard.tsx'
import { TextField } from '../../ui/field.tsx'
import { changeName, resourceNames } from './event-names.ts'

interface Values {
  readonly url: string
  readonly description: string
  readonly scope: 'all' | 'some'
  readonly events: readonly EventType[]
}

const valuesOf = (webhook: Webhook | null): Values => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  scope: webhook === null || webhook.events === null ? 'all' : 'some',
  events: webhook?.events ?? [],
})

const fieldsOf = ({ url, description, scope, events }: Values) => ({
  url,
  description: orNull(description),
  events: scope === 'all' ? null : [...events],
})

/** The fields of a webhook. Creating one returns its secret. */
export function WebhookForm({
  webhook,
  onClose,
  onSecret,
}: {
  readonly webhook: Webhook | null
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}) {
  const form = useRowForm<Webhook, Values>(webhook, {
    initial: valuesOf(webhook),
    valuesOf,
    nameOf: namedBy({ url: 'URL', description: 'Description', scope: 'Events', events: 'Selected events' }),
    create: async (values) => {
      const added = await api.addWebhook(fieldsOf(values))
      onSecret(added.data.secret)
      return added
    },
    edit: (row, values) => api.editWebhook({ ...fieldsOf(values), uuid: row.uuid }, { ifMatch: row }),
    onSaved: async ({ message }) => {
      if (webhook !== null) toast.news(message)
      await webhooksChanged()
      onClose()
    },
  })
  const { values, set } = form
  const requestClose = useDialogGuard({ isChanged: form.isChanged, isKept: false })
  const faults = Object.entries(form.faults).flatMap(([field, texts]) =>
    field.startsWith('events') ? texts : [],
  )
  return (
    <Form form={form} className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 space-y-5 overflow-y-auto px-5 py-5 sm:px-6">
        <TextField
          label="URL"
          placeholder="https://example.com/waymark"
          inputMode="url"
          spellCheck={false}
          autoCapitalize="none"
          {...form.text('url')}
        />
        <TextField label="Description" isOptional placeholder="Stock system" {...form.text('description')} />
        <Segments
          label="Events"
          value={values.scope}
          onValue={(scope) => set('scope', scope)}
          options={[
            { value: 'all', label: 'All events' },
            { value: 'some', label: 'Selected events' },
          ]}
        />
        {values.scope === 'some' && (
          <EventChoice chosen={values.events} onChosen={(events) => set('events', events)} faults={faults} />
        )}
        <FormFailure form={form} />
      </div>
      <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3 sm:px-6">
        <Button look="ghost" onClick={requestClose}>
          Cancel
        </Button>
        <Button look="primary" type="submit" isBusy={form.isBusy}>
          {webhook === null ? 'Add webhook' : 'Save changes'}
        </Button>
      </footer>
    </Form>
  )
}

/** A table of events by resource. */
function EventChoice({
  chosen,
  onChosen,
  faults,
}: {
  readonly chosen: readonly EventType[]
  readonly onChosen: (events: readonly EventType[]) => void
  readonly faults: readonly string[]
}) {
  const toggle = (type: EventType, isOn: boolean): void =>
    onChosen(eventTypes.filter((other) => (other === type ? isOn : chosen.includes(other))))
  return (
    <fieldset>
      <legend className="sr-only">Selected events</legend>
      <div className="divide-y divide-line rounded-md border border-line">
        {Object.entries(resourceNames).map(([resource, name]) => (
          <div key={resource} className="flex flex-wrap items-center gap-x-5 gap-y-1 px-3 py-2">
            <p className="w-full text-sm font-semibold sm:w-24">{name}</p>
            {eventTypes
              .filter((type) => type.startsWith(`${resource}.`))
              .map((type) => (
                <label key={type} className="flex min-h-8 items-center gap-2 text-sm">
                  <input
                    type="checkbox"
                    className="checkbox"
                    aria-label={`${name} ${changeName(type)}`}
                    aria-invalid={faults.length > 0 || undefined}
                    checked={chosen.includes(type)}
                    onChange={(event) => toggle(type, event.target.checked)}
                  />
                  <span className="pt-0.5">{changeName(type)}</span>
                </label>
              ))}
          </div>
        ))}
      </div>
      {faults.length > 0 && (
        <p role="alert" className="mt-1.5 text-sm font-medium text-danger">
          {faults.join('. ')}
        </p>
      )}
    </fieldset>
  )
}
