import { fixUtm, type UtmTags } from '@waymark/contract/utm'
import type { UtmLink } from '@waymark/sdk'
import { Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { withScheme } from '../../ui/addresses.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { SwitchField } from '../../ui/choices.tsx'
import { ComboField } from '../../ui/combo-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { counted } from '../../ui/numbers.ts'
import { Card } from '../../ui/screen.tsx'
import { channels } from './channels.ts'
import { FinishedAddress } from './finished-address.tsx'
import { grownAddress, remarksOf } from './remarks.ts'
import { TemplateBar } from './template-bar.tsx'
import { utmHint } from './utm-hint.tsx'
import { type Channel, earlierValues, saveChannel, utmLinksChanged, utmValuesOf } from './utm-values.ts'

/** Creates one UTM link per channel for the same destination. */
export function UtmForm({
  edited,
  earlier,
  onDone,
}: {
  readonly edited: UtmLink | null
  readonly earlier: readonly UtmLink[]
  readonly onDone: () => void
}) {
  const [faultyChannel, setFaultyChannel] = useState(0)
  const known = useMemo(() => earlierValues(earlier), [earlier])
  const form = useForm(utmValuesOf(edited), async (values, setValues) => {
    for (const [index, channel] of values.channels.entries()) {
      setFaultyChannel(index)
      await saveChannel(edited, values, channel)
      // Created links are removed from the form, so that a retry after an error creates only the rest.
      if (index < values.channels.length - 1)
        setValues((typed) => ({
          ...typed,
          channels: typed.channels.filter(({ key }) => key !== channel.key),
        }))
      setFaultyChannel(0)
    }
    utmLinksChanged()
    toast.news(edited === null ? `${counted(values.channels.length, 'UTM link')} created` : 'UTM link saved')
    const next = { ...utmValuesOf(null), url: values.url, campaign: values.campaign }
    setValues(next)
    onDone()
    return next
  })
  const { values, set, faults } = form
  const change = (key: number, part: Partial<Channel>): void =>
    set(
      'channels',
      values.channels.map((channel) => (channel.key === key ? { ...channel, ...part } : channel)),
    )
  const add = (): void => set('channels', [...values.channels, { key: Date.now(), source: '', medium: '' }])
  const shared = remarksOf(
    withScheme(values.url),
    { ...values, source: '', medium: '' },
    known,
    location.host,
  )

  return (
    <Card
      title={edited === null ? 'New UTM link' : 'Edit UTM link'}
      aside={
        edited === null && (
          <TemplateBar
            values={values}
            onUse={(template) => form.setValues((typed) => ({ ...typed, ...template }))}
          />
        )
      }
    >
      <Form form={form} className="space-y-5">
        <FormFailure form={form} />
        <TextField
          label="Destination"
          type="url"
          placeholder="https://example.com/landing"
          {...form.text('url')}
        />
        <div className="grid gap-5 sm:grid-cols-3">
          <ComboField
            label="Campaign"
            placeholder="spring-sale"
            suggestions={known.campaign}
            {...form.text('campaign')}
            hint={utmHint(shared, { ...values, source: '', medium: '' }, 'campaign', (better) =>
              set('campaign', better),
            )}
          />
          <ComboField
            label="Content"
            placeholder="header-button"
            suggestions={known.content}
            {...form.text('content')}
            hint={utmHint(shared, { ...values, source: '', medium: '' }, 'content', (better) =>
              set('content', better),
            )}
          />
          <ComboField
            label="Term"
            isOptional
            suggestions={known.term}
            {...form.text('term')}
            hint={utmHint(shared, { ...values, source: '', medium: '' }, 'term', (better) =>
              set('term', better),
            )}
          />
        </div>
        <fieldset className="space-y-3">
          <legend className="mb-2 text-sm font-semibold">
            {values.channels.length > 1 ? 'Channels, one link each' : 'Channel'}
          </legend>
          {values.channels.map((channel, index) => {
            const tags = { ...values, ...channel }
            const remarks = remarksOf(withScheme(values.url), tags, known, location.host)
            const own = index === faultyChannel ? faults : {}
            return (
              <div key={channel.key} className="rounded-lg border border-line p-3 sm:p-4">
                <div className="flex items-start gap-3">
                  <div className="grid min-w-0 flex-1 gap-4 sm:grid-cols-2">
                    <ComboField
                      label="Source"
                      placeholder="newsletter"
                      suggestions={[...known.source, ...channels.sources]}
                      value={channel.source}
                      onValue={(source) => change(channel.key, { source })}
                      faults={own['source']}
                      hint={utmHint(remarks, tags, 'source', (source) => change(channel.key, { source }))}
                    />
                    <ComboField
                      label="Medium"
                      placeholder="email"
                      suggestions={[...new Set([...known.medium, ...channels.media])]}
                      value={channel.medium}
                      onValue={(medium) => change(channel.key, { medium })}
                      faults={own['medium']}
                      hint={utmHint(remarks, tags, 'medium', (medium) => change(channel.key, { medium }))}
                    />
                  </div>
                  {values.channels.length > 1 && (
                    <IconButton
                      label={`Remove channel ${index + 1}`}
                      icon={Trash2}
                      className="mt-6"
                      onClick={() =>
                        set(
                          'channels',
                          values.channels.filter(({ key }) => key !== channel.key),
                        )
                      }
                    />
                  )}
                </div>
                <FinishedAddress url={grownAddress(withScheme(values.url), tags)} />
                {remarks.whole.map((remark) => (
                  <Notice key={remark} kind="warn" className="mt-3">
                    {remark}
                    <FixButton tags={tags} onFix={(fixed) => change(channel.key, fixed)} />
                  </Notice>
                ))}
              </div>
            )
          })}
          {edited === null && (
            <Button icon={Plus} onClick={add}>
              Add channel
            </Button>
          )}
        </fieldset>
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
          <SwitchField
            label="Create a short link"
            hint="Easier to share, and its clicks are counted."
            isOn={values.shorten}
            onToggle={(isOn) => set('shorten', isOn)}
          />
          <span className="flex gap-2">
            {edited !== null && (
              <Button look="ghost" onClick={onDone}>
                Cancel
              </Button>
            )}
            <Button look="primary" type="submit" isBusy={form.isBusy}>
              {edited !== null
                ? 'Save changes'
                : values.channels.length > 1
                  ? `Create ${values.channels.length} links`
                  : 'Create link'}
            </Button>
          </span>
        </div>
      </Form>
    </Card>
  )
}

/** Applies the advice about source and medium together, if the intention is clear. */
function FixButton({
  tags,
  onFix,
}: {
  readonly tags: UtmTags
  readonly onFix: (fixed: { source: string; medium: string }) => void
}) {
  const { source, medium } = fixUtm(tags)
  if (source === tags.source && medium === tags.medium) return null
  return (
    <button
      type="button"
      className="ml-2 font-semibold text-brand underline underline-offset-2"
      onClick={() => onFix({ source, medium })}
    >
      Use “{source} / {medium}”
    </button>
  )
}
