import { useQuery } from '@tanstack/react-query'
import { domainsQuery, instanceQuery } from '../../api/account.ts'
import type { FieldFaults } from '../../forms/invalid-input.ts'
import { SelectField } from '../../ui/choices.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { bare } from '../../ui/plate.tsx'
import { Card } from '../../ui/screen.tsx'
import { ButtonRows } from './button-rows.tsx'
import { IconRows } from './icon-rows.tsx'
import { ImageRows } from './image-rows.tsx'
import { LogoFields } from './logo-fields.tsx'
import { type PageFormState, slugOf } from './page-form.ts'
import { ThemeFields } from './theme-fields.tsx'

export const sections = [
  { value: 'content', label: 'Content' },
  { value: 'design', label: 'Design' },
  { value: 'settings', label: 'Settings' },
] as const

export type Section = (typeof sections)[number]['value']

/** The section of the first invalid field. */
export const sectionOf = (faults: FieldFaults): Section => {
  const [name = ''] = Object.keys(faults)
  if (/^(?:theme|topShape|logo)/.test(name)) return 'design'
  return name === 'slug' || name === 'domain' ? 'settings' : 'content'
}

/** The fields of all sections. Hidden ones stay mounted, so that their input is not lost. */
export function PageFields({
  form,
  isNew,
  section,
}: {
  readonly form: PageFormState
  readonly isNew: boolean
  readonly section: Section
}) {
  const { data: domains = [] } = useQuery(domainsQuery)
  const { data: instance } = useQuery(instanceQuery)
  const { values, setValues, set, faults } = form
  const usable = domains.filter((domain) => domain.verified)
  const isDefault = values.domain === new URL(instance?.base_url ?? location.origin).hostname
  const prefix = `${isDefault ? bare(instance?.base_url ?? location.origin) : values.domain}/p/`
  const setTitle = (title: string): void =>
    setValues((before) => {
      const follows = isNew && (before.slug === '' || before.slug === slugOf(before.title))
      return { ...before, title, ...(follows ? { slug: slugOf(title) } : {}) }
    })
  const shown = (name: Section): string => (name === section ? 'space-y-6' : 'hidden')
  return (
    <>
      <div className={shown('content')}>
        <Card title="Page">
          <div className="space-y-5">
            <TextField label="Title" {...form.text('title')} onValue={setTitle} />
            <TextArea
              label="Description"
              isOptional
              rows={2}
              {...form.text('subtext')}
              faults={faults['subtext'] ?? faults['subtitle']}
            />
          </div>
        </Card>
        <ButtonRows form={form} />
        <ImageRows form={form} />
        <IconRows form={form} />
      </div>
      <div className={shown('design')}>
        <ThemeFields form={form} />
        <LogoFields form={form} />
      </div>
      <div className={shown('settings')}>
        <Card title="Address">
          <div className="space-y-5">
            {usable.length > 1 && (
              <SelectField
                label="Domain"
                value={values.domain}
                onValue={(domain) => set('domain', domain)}
                options={usable.map(({ name }) => ({ value: name, label: name }))}
                faults={faults['domain']}
              />
            )}
            <TextField
              label="Page URL"
              prefix={prefix}
              spellCheck={false}
              autoCapitalize="none"
              hint={isNew ? undefined : 'The old URL redirects here.'}
              {...form.text('slug')}
            />
          </div>
        </Card>
      </div>
    </>
  )
}
