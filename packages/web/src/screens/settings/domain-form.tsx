import type { Domain } from '@waymark/sdk'
import { domainsChanged } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { orNull } from '../../forms/or-null.ts'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { useDialogGuard } from '../../ui/dialog-guard.tsx'
import { TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { UploadBar, useUploadProgress } from '../../ui/upload-progress.tsx'

const valuesOf = (domain: Domain) => ({
  root_url: domain.root_url ?? '',
  not_found_url: domain.not_found_url ?? '',
  expired_url: domain.expired_url ?? '',
  brand_name: domain.brand_name ?? '',
  brand_color: domain.brand_color ?? '',
  preview: domain.logo,
  /** The file to upload; null removes the logo; undefined keeps it. */
  logo: undefined as File | null | undefined,
})

/** Redirects of a domain without a link, and the look of its visitor pages. */
export function DomainForm({ domain, onClose }: { readonly domain: Domain; readonly onClose: () => void }) {
  const upload = useUploadProgress()
  const form = useForm(valuesOf(domain), async (values) => {
    const { message } = await api.editDomain(
      {
        name: domain.name,
        root_url: orNull(values.root_url),
        not_found_url: orNull(values.not_found_url),
        expired_url: orNull(values.expired_url),
        brand_name: orNull(values.brand_name),
        brand_color: orNull(values.brand_color),
        ...(values.logo === undefined ? {} : { logo: values.logo }),
      },
      upload.options,
    )
    toast.news(message)
    await domainsChanged()
    onClose()
  })
  const requestClose = useDialogGuard({ isChanged: form.isChanged, isKept: false })
  const address = { inputMode: 'url', spellCheck: false, autoCapitalize: 'none', isOptional: true } as const
  return (
    <Form form={form} className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 space-y-5 overflow-y-auto px-5 py-5 sm:px-6">
        <TextField
          label="Home page"
          hint={`Visitors of ${domain.name} without a short code are sent here.`}
          placeholder="https://example.com"
          {...address}
          {...form.text('root_url')}
        />
        <TextField
          label="Unknown links"
          hint="Visitors of a short link that does not exist are sent here. If empty, they see “This link does not exist”."
          placeholder="https://example.com/help"
          {...address}
          {...form.text('not_found_url')}
        />
        <TextField
          label="Expired links"
          hint="Visitors of a link that has expired or reached its click limit are sent here. If empty, they see “This link has ended”."
          placeholder="https://example.com/offers"
          {...address}
          {...form.text('expired_url')}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Name on visitor pages"
            placeholder="Example Inc."
            isOptional
            {...form.text('brand_name')}
          />
          <ColorField
            label="Colour of buttons"
            isOptional
            value={form.values.brand_color}
            onValue={(color) => form.set('brand_color', color)}
            faults={form.faults['brand_color']}
          />
        </div>
        <FileDrop
          label="Logo on visitor pages"
          isOptional
          accept="image/*"
          preview={form.values.preview}
          faults={form.faults['logo']}
          onFile={(files) =>
            form.setValues((before) => ({
              ...before,
              logo: files?.[0] ?? null,
              preview: files?.[0] === undefined ? null : URL.createObjectURL(files[0]),
            }))
          }
        />
        <UploadBar share={upload.share} />
        <FormFailure form={form} />
      </div>
      <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3 sm:px-6">
        <Button look="ghost" onClick={requestClose}>
          Cancel
        </Button>
        <Button look="primary" type="submit" isBusy={form.isBusy}>
          Save changes
        </Button>
      </footer>
    </Form>
  )
}
