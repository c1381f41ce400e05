import { SelectField, SwitchField } from '../../ui/choices.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { DynamicField, UrlField } from './code-fields.tsx'
import { type ContentField, localTime, PURPOSES, securityOf, shownFields } from './content-form.ts'
import type { QrFormState } from './qr-form.ts'

/** The type of the content, and its fields. */
export function ContentFields({ form }: { readonly form: QrFormState }) {
  const { values, set } = form
  const { purpose } = values
  return (
    <>
      <SelectField
        label="What is it for?"
        value={purpose}
        onValue={(next) => set('purpose', next)}
        options={PURPOSES}
        faults={form.faults['content']}
      />
      {purpose === 'url' ? (
        <>
          <UrlField field={form.text('url')} />
          <DynamicField isOn={values.dynamic} onToggle={(isOn) => set('dynamic', isOn)} />
        </>
      ) : (
        <div className="grid gap-5 sm:grid-cols-2">
          {shownFields(purpose, values.content).map((field) => (
            <ContentInput key={`${purpose} ${field.name}`} field={field} form={form} />
          ))}
        </div>
      )}
    </>
  )
}

const SECURITIES = [
  { value: 'WPA', label: 'WPA, WPA2 or WPA3' },
  { value: 'WEP', label: 'WEP' },
  { value: 'none', label: 'None' },
]

function ContentInput({ field, form }: { readonly field: ContentField; readonly form: QrFormState }) {
  const { name, label, kind, isRequired = false, ...texts } = field
  const typed = form.values.content
  const value = typed[name] ?? ''
  const onValue = (next: string): void => form.set('content', { ...typed, [name]: next })
  const frame = { label, isOptional: !isRequired, faults: form.faults[`content.${name}`], ...texts }
  if (kind === 'security')
    return (
      <SelectField
        label={label}
        value={securityOf(typed)}
        onValue={onValue}
        options={SECURITIES}
        faults={frame.faults}
      />
    )
  if (kind === 'switch')
    return (
      <SwitchField
        label={label}
        hint={texts.hint ?? ''}
        isOn={value === 'true'}
        onToggle={(isOn) => onValue(String(isOn))}
      />
    )
  if (kind === 'block')
    return <TextArea className="sm:col-span-2" rows={3} value={value} onValue={onValue} {...frame} />
  if (kind === 'time')
    return (
      <TextField
        type="datetime-local"
        value={localTime(value)}
        onValue={(next) => onValue(next === '' ? '' : new Date(next).toISOString())}
        {...frame}
      />
    )
  return (
    <TextField
      type={kind === 'number' || kind === undefined ? 'text' : kind}
      {...(kind === 'number' && { inputMode: 'decimal' as const })}
      autoComplete="off"
      value={value}
      onValue={onValue}
      {...frame}
    />
  )
}
