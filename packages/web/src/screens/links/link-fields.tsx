import { useQuery } from '@tanstack/react-query'
import type { Link } from '@waymark/sdk'
import { tagsQuery } from '../../api/links.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import { fieldLabels, type LinkFormState } from './link-form.ts'
import { AccessSection, CardSection, DeviceSection, MoreSection, ScheduleSection } from './link-sections.tsx'
import { ShortCodeField } from './short-code-field.tsx'
import { UtmFields } from './utm-fields.tsx'

const owners = { page: 'page', qrcode: 'QR code', barcode: 'barcode', utm: 'UTM link' } as const

/** Common fields are visible; rare ones are in collapsible sections. */
export function LinkFields({ form, link }: { readonly form: LinkFormState; readonly link: Link | null }) {
  const { data: tags = [] } = useQuery(tagsQuery)
  const { values, set, faults } = form
  const owner = link?.owner ?? null
  const tagFaults = Object.keys(faults).filter((name) => /^tags?(\.|$)/.test(name))
  return (
    <>
      <FormFailure form={form} />
      <TextField
        label={fieldLabels.link}
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
      <ShortCodeField form={form} link={link} />
      <TextField
        label={fieldLabels.title}
        isOptional
        placeholder="Spring catalogue"
        {...form.text('title')}
      />
      <TagsField
        label={fieldLabels.tags}
        isOptional
        placeholder="Press Enter after each tag"
        tags={values.tags}
        onTags={(next) => set('tags', next)}
        suggestions={tags.map(({ tag }) => tag)}
        faults={tagFaults.flatMap((name) => faults[name] ?? [])}
      />
      <div className="space-y-2.5">
        {owner === null && <UtmFields address={values.link} onAddress={(address) => set('link', address)} />}
        <ScheduleSection form={form} />
        <AccessSection form={form} link={link} />
        <DeviceSection form={form} />
        <CardSection form={form} />
        <MoreSection form={form} isNew={link === null} />
      </div>
    </>
  )
}
