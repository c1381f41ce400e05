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
import { type LinkValues, textLines } from './link-form.ts'

type LinkFormState = ReturnType<typeof useForm<LinkValues>>

const redirects = [
  { value: '302', label: '302: temporary (default)' },
  { value: '301', label: '301: permanent (browsers cache it)' },
  { value: '307', label: '307: temporary, keeps the method' },
  { value: '308', label: '308: permanent, keeps the method' },
]

const owners = { page: 'page', qrcode: 'QR code', barcode: 'barcode', utm: 'UTM link' } as const

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
        placeholder="https://example.com/long-url"
        autoFocus={link === null}
        readOnly={owner !== null}
        hint={
          owner === null
            ? undefined
            : `This link belongs to a ${owners[owner.type]}. Change the destination there.`
        }
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
          placeholder={link === null ? 'generated automatically' : undefined}
          spellCheck={false}
          autoCapitalize="none"
          className={usable.length > 1 ? undefined : 'sm:col-span-2'}
          hint={link === null ? undefined : 'The old short code keeps working.'}
          {...form.text('customLink')}
        />
      </div>
      {textLines.map(({ name, label, placeholder }) => (
        <TextField key={name} label={label} isOptional placeholder={placeholder} {...form.text(name)} />
      ))}
      <div className="grid gap-5 sm:grid-cols-2">
        <ComboField label="Tag" isOptional suggestions={tags.map(({ tag }) => tag)} {...form.text('tag')} />
        <TextField
          label="Expires"
          isOptional
          type="date"
          hint="At the end of that day, UTC."
          {...form.text('expire')}
        />
      </div>
      <Fold
        title="Password, click limit and devices"
        isOpen={isTuned || isFaulty || link?.has_password === true}
      >
        {link?.has_password === true && (
          <SwitchField
            label="Remove password"
            hint="Visitors must currently enter a password."
            isOn={values.removesPassword}
            onToggle={(isOn) => set('removesPassword', isOn)}
          />
        )}
        {!values.removesPassword && (
          <PasswordField
            label={link?.has_password === true ? 'New password' : 'Password'}
            isOptional
            autoComplete="new-password"
            hint="Visitors must enter it before they are redirected."
            {...form.text('password')}
          />
        )}
        <TextField
          label="Click limit"
          isOptional
          inputMode="numeric"
          hint="The link stops working after this many clicks."
          {...form.text('max_clicks')}
        />
        <TextField
          label="iOS destination"
          isOptional
          type="url"
          placeholder="https://apps.apple.com/…"
          {...form.text('ios_url')}
        />
        <TextField
          label="Android destination"
          isOptional
          type="url"
          placeholder="https://play.google.com/…"
          {...form.text('android_url')}
        />
        <SelectField
          label="Redirect type"
          value={values.redirect}
          onValue={(redirect) => set('redirect', redirect)}
          faults={faults['redirect']}
          options={redirects}
        />
      </Fold>
    </>
  )
}
