import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { QrCode } from '@waymark/sdk'
import { Save } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { instanceQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { qrcodeQuery } from '../../api/resources.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useRowForm } from '../../forms/use-row-form.ts'
import { useUnsavedGuard } from '../../forms/use-unsaved-guard.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { useUploadProgress } from '../../ui/upload-progress.tsx'
import { Skeletons } from '../../ui/screen.tsx'
import { type BrandKit, brandKitQuery } from '../brand-kit/brand-kit.ts'
import { RemoveButton } from '../remove-button.tsx'
import { encodedText } from './encoded-text.ts'
import { asDataAddress } from './image-data.ts'
import { QrControls } from './qr-controls.tsx'
import { useQrDrawing } from './qr-drawing.ts'
import { nameOfField, qrCreateBody, qrDestination, qrEditBody, qrValuesOf } from './qr-form.ts'
import { lookOfStyle, type QrLook } from './qr-presets.tsx'
import { QrDetails, QrPicturePreview } from './qr-preview.tsx'
import { SavedCode, StudioFrame } from './studio.tsx'

export function QrStudio() {
  const { uuid } = useParams({ from: '/inside/codes/qr/$uuid' })
  const { url } = useSearch({ from: '/inside/codes/qr/$uuid' })
  const isNew = uuid === 'new'
  const query = useQuery({ ...qrcodeQuery(uuid), enabled: !isNew })
  const { data: kit, isFetched } = useQuery(brandKitQuery)
  if (isNew) {
    // Only for the first load: a kit that failed to load is requested again while the studio is open.
    if (!isFetched) return <Skeletons count={3} className="h-40" />
    const style = kit?.styles.find(({ name }) => name === kit.default_style)
    const look = style === undefined ? {} : lookOfStyle(style)
    return <Studio key="new" saved={null} {...{ kit, url, look }} />
  }
  return <SavedCode query={query}>{(code) => <Studio key={code.uuid} saved={code} kit={kit} />}</SavedCode>
}

function Studio({
  saved,
  kit,
  url,
  look,
}: {
  readonly saved: QrCode | null
  readonly kit: BrandKit | undefined
  readonly url?: string | undefined
  /** The initial look of a new code. */
  readonly look?: Partial<QrLook>
}) {
  const navigate = useNavigate()
  const { data: instance } = useQuery(instanceQuery)
  const upload = useUploadProgress()
  const [initial] = useState(() => ({ ...qrValuesOf(saved, url), ...look }))
  const logoAddress = saved?.logo ?? null
  const form = useRowForm(saved, {
    initial,
    valuesOf: (code) => qrValuesOf(code),
    nameOf: nameOfField,
    create: (values) => api.generateQr(qrCreateBody(values), upload.options),
    edit: (row, values) => api.editQr(qrEditBody(row.uuid, values), { ...upload.options, ifMatch: row }),
    onSaved: async ({ data, message }, sent) => {
      queryClient.setQueryData(qrcodeQuery(data.uuid).queryKey, data)
      void queryClient.invalidateQueries({ queryKey: ['qrcodes', 'list'] })
      void queryClient.invalidateQueries({ queryKey: ['links'] })
      toast.news(message)
      if (saved === null)
        await navigate({ to: '/codes/qr/$uuid', params: { uuid: data.uuid }, replace: true })
      // A logo other than the shown one is fetched.
      return {
        ...qrValuesOf(data),
        logo: data.logo === logoAddress || sent.logoFile != null ? sent.logo : null,
      }
    },
  })
  const { values, setValues } = form
  useUnsavedGuard(form)

  // The server returns the logo's URL, but drawing needs the bytes.
  useEffect(() => {
    if (logoAddress === null) return
    void asDataAddress(logoAddress).then((logo) =>
      setValues((before) =>
        before.logoFile === undefined && before.logo === null ? { ...before, logo } : before,
      ),
    )
  }, [logoAddress, setValues])

  const shown = useDeferredValue(values)
  const text = encodedText(qrDestination(shown), saved, instance?.base_url ?? location.origin)
  const drawing = useQrDrawing(shown, text)

  return (
    <Form form={form}>
      <StudioFrame
        kind="qr"
        title={saved === null ? 'New QR code' : (saved.description ?? 'QR code')}
        actions={
          <>
            {saved !== null && (
              <RemoveButton
                does="removeQr"
                uuid={saved.uuid}
                what="QR code"
                remove={(uuids) => api.removeQr({ uuids })}
                stakes={{ visits: saved.scans, visit: 'scan', mayBePrinted: true }}
                onRemoved={() => void navigate({ to: '/codes', search: {} })}
              />
            )}
            <Button does="editQr" look="primary" icon={Save} type="submit" isBusy={form.isBusy}>
              {saved === null ? 'Create QR code' : 'Save changes'}
            </Button>
          </>
        }
        controls={
          <>
            <FormFailure form={form} />
            <QrControls form={form} kit={kit} hasSavedLogo={logoAddress !== null} />
          </>
        }
        picture={<QrPicturePreview {...{ drawing, saved, text }} values={shown} />}
        details={<QrDetails {...{ drawing, saved }} values={shown} uploadShare={upload.share} />}
      />
    </Form>
  )
}
