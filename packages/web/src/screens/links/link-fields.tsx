import { useQuery } from '@tanstack/react-query'
import type { Link } from '@waymark/sdk'
import { domainsQuery } from '../../api/account.ts'
import { tagsQuery } from '../../api/links.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import type { useForm } from '../../forms/use-form.ts'
import { SelectField, SwitchField } from '../../ui/choices.tsx'
import { ComboField } from '../../ui/combo-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import type { LinkValues } from './link-form.ts'

type LinkFormState = ReturnType<typeof useForm<LinkValues>>

const redirects = [
  { value: '302', label: '302, for now (browsers ask again each time)' },
  { value: '301', label: '301, for good (browsers remember it)' },
  { value: '307', label: '307, for now, same method' },
  { value: '308', label: '308, for good, same method' },
]

const owners = { page: 'page', qrcode: 'QR code', barcode: 'barcode', utm: 'campaign link' } as const

export function LinkFields({ form, link }: { readonly form: LinkFormState; readonly link: Link | null }) {
  const { data: domains = [] } = useQuery(domainsQuery)
  const { data: tags = [] } = useQuery(tagsQuery)
  const { values, set, faults } = form
  const usable = domains.filter((domain) => domain.verified)
  const owner = link?.owner ?? null
  const isTuned =
    values.password !== '' || values.max_clicks !== '' || values.ios_url !== '' || values.android_url !== ''
  const isFaulty = ['password', 'max_clicks', 'ios_url', 'android_url', 'redirect'].some(
    (name) => name in faults,
  )
  return (
    <>
      <FormFailure form={form} />
      <TextField
        label="Destination"
        type="url"
        placeholder="https://example.com/a-long-address"
        autoFocus={link === null}
        readOnly={owner !== null}
        hint={owner === null ? undefined : `Set by its ${owners[owner.type]}: change it there.`}
        {...form.text('link')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        {usable.length > 1 && (
          <SelectField
            label="Domain"
            value={values.domain === '' ? (usable[0]?.name ?? '') : values.domain}
            onValue={(domain) => set('domain', domain)}
            faults={faults['domain']}
            options={usable.map(({ name }) => ({ value: name, label: name }))}
          />
        )}
        <TextField
          label="Short code"
          isOptional={link === null}
          placeholder={link === null ? 'made for you' : undefined}
          spellCheck={false}
          autoCapitalize="none"
          className={usable.length > 1 ? undefined : 'sm:col-span-2'}
          hint={link === null ? undefined : 'The old code keeps leading here too.'}
          {...form.text('customLink')}
        />
      </div>
      <TextField label="Note" isOptional placeholder="What this link is for" {...form.text('description')} />
      <div className="grid gap-5 sm:grid-cols-2">
        <ComboField label="Tag" isOptional suggestions={tags.map(({ tag }) => tag)} {...form.text('tag')} />
        <TextField
          label="Leads there until"
          isOptional
          type="date"
          hint="To the end of that day, UTC."
          {...form.text('expire')}
        />
      </div>
      <Fold title="Password, limits, phones" isOpen={isTuned || isFaulty || link?.has_password === true}>
        {link?.has_password === true && (
          <SwitchField
            label="Remove the password"
            hint="Visitors are asked for one now."
            isOn={values.removesPassword}
            onToggle={(isOn) => set('removesPassword', isOn)}
          />
        )}
        {!values.removesPassword && (
          <PasswordField
            label={link?.has_password === true ? 'Another password' : 'Password'}
            isOptional
            autoComplete="new-password"
            hint="Visitors must type it before they are sent on."
            {...form.text('password')}
          />
        )}
        <TextField
          label="Most clicks"
          isOptional
          inputMode="numeric"
          hint="After so many the link is used up."
          {...form.text('max_clicks')}
        />
        <TextField
          label="iPhones and iPads go to"
          isOptional
          type="url"
          placeholder="https://apps.apple.com/…"
          {...form.text('ios_url')}
        />
        <TextField
          label="Android devices go to"
          isOptional
          type="url"
          placeholder="https://play.google.com/…"
          {...form.text('android_url')}
        />
        <SelectField
          label="Kind of redirect"
          value={values.redirect}
          onValue={(redirect) => set('redirect', redirect)}
          faults={faults['redirect']}
          options={redirects}
        />
      </Fold>
    </>
  )
}
