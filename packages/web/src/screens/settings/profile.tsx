import { useQuery } from '@tanstack/react-query'
import type { Profile } from '@waymark/sdk'
import { profileQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { orNull } from '../../forms/or-null.ts'
import { InvalidInput } from '../../forms/invalid-input.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Card, Skeletons } from '../../ui/screen.tsx'
import { UploadBar, useUploadProgress } from '../../ui/upload-progress.tsx'
import { EmailCard } from './email-card.tsx'
import { phoneFault } from './phone-number.ts'

export function ProfileSettings() {
  const { data: profile } = useQuery(profileQuery)
  return profile === undefined ? (
    <Skeletons count={1} className="h-80" />
  ) : (
    <>
      <ProfileForm profile={profile} />
      <EmailCard />
    </>
  )
}

interface ProfileValues {
  first_name: string
  last_name: string
  phone: string
  address: string
  preview: string | null
  /** The file to upload; null removes the picture; undefined keeps it. */
  image: File | null | undefined
}

const valuesOf = (profile: Profile): ProfileValues => ({
  first_name: profile.first_name ?? '',
  last_name: profile.last_name ?? '',
  phone: profile.phone ?? '',
  address: profile.address ?? '',
  preview: profile.image,
  image: undefined,
})

function ProfileForm({ profile }: { readonly profile: Profile }) {
  const upload = useUploadProgress()
  const form = useForm(valuesOf(profile), async (values) => {
    const fault = values.phone.trim() === '' ? null : phoneFault(values.phone.trim())
    if (fault !== null) throw new InvalidInput({ phone: [fault] })
    const { data, message } = await api.updatePersonalInfo(
      {
        first_name: orNull(values.first_name),
        last_name: orNull(values.last_name),
        phone: orNull(values.phone),
        address: orNull(values.address),
        ...(values.image === undefined ? {} : { image: values.image }),
      },
      upload.options,
    )
    queryClient.setQueryData(profileQuery.queryKey, data)
    toast.news(message)
    return valuesOf(data)
  })
  const { faults } = form
  return (
    <Card title="Profile" lead={`You sign in as ${profile.email}. Your name and address appear on invoices.`}>
      <Form form={form} className="space-y-5">
        <FormFailure form={form} />
        <FileDrop
          label="Profile picture"
          isOptional
          accept="image/*"
          prompt="Drop an image here, or"
          preview={form.values.preview}
          faults={faults['image'] ?? faults['profile']}
          onFile={(files) =>
            form.setValues((before) => ({
              ...before,
              image: files?.[0] ?? null,
              preview: files?.[0] === undefined ? null : URL.createObjectURL(files[0]),
            }))
          }
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label="First name" isOptional autoComplete="given-name" {...form.text('first_name')} />
          <TextField label="Last name" isOptional autoComplete="family-name" {...form.text('last_name')} />
          <TextField
            label="Phone"
            isOptional
            type="tel"
            autoComplete="tel"
            placeholder="+49 30 1234567"
            {...form.text('phone')}
          />
        </div>
        <TextArea label="Address" isOptional autoComplete="street-address" {...form.text('address')} />
        <UploadBar share={upload.share} />
        <Button look="primary" type="submit" isBusy={form.isBusy}>
          Save profile
        </Button>
      </Form>
    </Card>
  )
}
