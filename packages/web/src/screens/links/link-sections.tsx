import type { Link } from '@waymark/sdk'
import { IMAGE_TYPES, pickFile } from '../../forms/picked-files.ts'
import { SelectField, SwitchField } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Fold } from '../../ui/fold.tsx'
import { isoOf } from '../../ui/local-times.ts'
import { MomentField } from '../../ui/moment-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { momentOf } from '../../ui/times.ts'
import { fieldLabels, type LinkFormState } from './link-form.ts'

interface SectionProps {
  readonly form: LinkFormState
}

/** Whether the server rejects a field inside a section, which then opens. */
const isFaulty = ({ faults }: LinkFormState, names: readonly string[]): boolean =>
  names.some((name) => (faults[name] ?? []).length > 0)

/** The settings in a section, in a few words. */
const summaryOf = (parts: readonly (string | false)[]): string | undefined => {
  const set = parts.filter((part) => part !== false)
  return set.length === 0 ? undefined : set.join(', ')
}

const shown = (text: string, edge: 'start' | 'end'): string => {
  const iso = isoOf(text, edge)
  return iso === null || Number.isNaN(Date.parse(iso)) ? text : momentOf(iso)
}

export function ScheduleSection({ form }: SectionProps) {
  const { starts_at, expire } = form.values
  return (
    <Fold
      title="Schedule"
      isOpen={isFaulty(form, ['starts_at', 'expire'])}
      summary={summaryOf([
        starts_at !== '' && `from ${shown(starts_at, 'start')}`,
        expire !== '' && `until ${shown(expire, 'end')}`,
      ])}
    >
      <MomentField
        label={fieldLabels.starts_at}
        isOptional
        edge="start"
        timeLabel="Start time"
        hint="Before that, visitors see a page that says the link is not active yet."
        {...form.text('starts_at')}
      />
      <MomentField
        label={fieldLabels.expire}
        isOptional
        edge="end"
        timeLabel="Expiry time"
        {...form.text('expire')}
      />
    </Fold>
  )
}

export function AccessSection({ form, link }: SectionProps & { readonly link: Link | null }) {
  const { values, set } = form
  const hasPassword = link?.has_password === true
  return (
    <Fold
      title="Password and click limit"
      isOpen={isFaulty(form, ['password', 'max_clicks'])}
      summary={summaryOf([
        (values.password !== '' || (hasPassword && !values.removesPassword)) && 'password',
        values.max_clicks !== '' && `limit ${values.max_clicks}`,
      ])}
    >
      {hasPassword && (
        <SwitchField
          label="Remove password"
          hint="Visitors must currently enter a password."
          isOn={values.removesPassword}
          onToggle={(isOn) => set('removesPassword', isOn)}
        />
      )}
      {!values.removesPassword && (
        <PasswordField
          label={hasPassword ? 'New password' : 'Password'}
          isOptional
          autoComplete="new-password"
          hint="Visitors must enter it before they are redirected."
          {...form.text('password')}
        />
      )}
      <TextField
        label={fieldLabels.max_clicks}
        isOptional
        inputMode="numeric"
        hint="The link stops working after this many clicks."
        {...form.text('max_clicks')}
      />
    </Fold>
  )
}

const devices = [
  { name: 'ios_url', short: 'iOS', placeholder: 'https://apps.apple.com/…' },
  { name: 'android_url', short: 'Android', placeholder: 'https://play.google.com/…' },
] as const

export function DeviceSection({ form }: SectionProps) {
  const names = devices.map(({ name }) => name)
  return (
    <Fold
      title="iOS and Android destinations"
      isOpen={isFaulty(form, names)}
      summary={summaryOf(devices.map(({ name, short }) => form.values[name] !== '' && short))}
    >
      {devices.map(({ name, placeholder }) => (
        <TextField
          key={name}
          label={fieldLabels[name]}
          isOptional
          type="url"
          placeholder={placeholder}
          {...form.text(name)}
        />
      ))}
    </Fold>
  )
}

/** What apps show when the link is shared, instead of the card of the destination. */
export function CardSection({ form }: SectionProps) {
  const { values, set, faults } = form
  const { card, cardImage } = values
  return (
    <Fold
      title={fieldLabels.card}
      isOpen={isFaulty(form, ['preview', 'preview.title', 'preview.description', 'preview.image'])}
      summary={summaryOf([card.title !== '' && card.title, cardImage !== null && 'own image'])}
    >
      <TextField
        label="Card title"
        isOptional
        hint="If empty, apps show the title, text and image of the destination."
        value={card.title}
        onValue={(title) => set('card', { ...card, title })}
        faults={faults['preview.title']}
      />
      <TextField
        label="Card description"
        isOptional
        value={card.description}
        onValue={(description) => set('card', { ...card, description })}
        faults={faults['preview.description']}
      />
      <FileDrop
        label={fieldLabels.cardImage}
        isOptional
        hint="PNG, JPEG, GIF, WebP or AVIF, up to 2 MB; 1200 × 630 pixels fit best. If empty, an image is drawn from the title."
        accept={IMAGE_TYPES}
        preview={cardImage}
        onFile={(files) => set('cardImage', files?.[0] === undefined ? null : pickFile(files[0]))}
        faults={faults['preview.image']}
      />
    </Fold>
  )
}

const redirects = [
  { value: '302', label: '302: temporary (default)' },
  { value: '301', label: '301: permanent (browsers cache it)' },
  { value: '307', label: '307: temporary, keeps the method' },
  { value: '308', label: '308: permanent, keeps the method' },
]

export function MoreSection({ form, isNew }: SectionProps & { readonly isNew: boolean }) {
  const { values, set, faults } = form
  return (
    <Fold
      title="More options"
      isOpen={isFaulty(form, ['description', 'redirect', 'forward_query', 'forward_path', 'archived'])}
      summary={summaryOf([
        values.reuse && 'reuses a link',
        values.archived && 'archived',
        values.forward_query && 'forwards parameters',
        values.forward_path && 'forwards paths',
        values.redirect !== '302' && values.redirect,
        values.description !== '' && 'description',
      ])}
    >
      <TextField
        label={fieldLabels.description}
        isOptional
        placeholder="What this link is for"
        {...form.text('description')}
      />
      <SelectField
        label={fieldLabels.redirect}
        value={values.redirect}
        onValue={(redirect) => set('redirect', redirect)}
        faults={faults['redirect']}
        options={redirects}
      />
      <SwitchField
        label={fieldLabels.forward_query}
        hint="Adds the parameters of the short link, such as ?ref=mail, to the destination."
        isOn={values.forward_query}
        onToggle={(isOn) => set('forward_query', isOn)}
      />
      <SwitchField
        label={fieldLabels.forward_path}
        hint="Adds what follows the short link, such as /guide/start, to the path of the destination."
        isOn={values.forward_path}
        onToggle={(isOn) => set('forward_path', isOn)}
      />
      <SwitchField
        label={fieldLabels.archived}
        hint="Hidden from the list. The link still redirects."
        isOn={values.archived}
        onToggle={(isOn) => set('archived', isOn)}
      />
      {isNew && (
        <SwitchField
          label={fieldLabels.reuse}
          hint="If you already have a link to this destination with no other settings, you get that one."
          isOn={values.reuse}
          onToggle={(isOn) => set('reuse', isOn)}
        />
      )}
    </Fold>
  )
}
