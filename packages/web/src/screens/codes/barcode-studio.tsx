import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Barcode } from '@waymark/sdk'
import { Save, Trash2 } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { instanceQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { removeLater } from '../../api/delayed-removal.ts'
import { queryClient } from '../../api/query-client.ts'
import { barcodeQuery } from '../../api/resources.ts'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useKept, useUnsavedGuard } from '../../forms/use-unsaved-guard.ts'
import { RouteMissing } from '../../shell/route-states.tsx'
import { toast } from '../../shell/toasts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeletons } from '../../ui/screen.tsx'
import { BarcodeControls } from './barcode-controls.tsx'
import { barcodeBody, barcodeValuesOf, drawValues, encodedText } from './barcode-form.ts'
import { StudioFrame } from './studio.tsx'
import { BarcodeDetails, BarcodePicturePreview } from './barcode-preview.tsx'

export function BarcodeStudio() {
  const { uuid } = useParams({ from: '/inside/codes/barcode/$uuid' })
  const isNew = uuid === 'new'
  const query = useQuery({ ...barcodeQuery(uuid), enabled: !isNew })
  if (isNew) return <Studio key="new" saved={null} />
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === null) return <RouteMissing />
  return query.data === undefined ? (
    <Skeletons count={3} className="h-40" />
  ) : (
    <Studio key={query.data.uuid} saved={query.data} />
  )
}

function Studio({ saved }: { readonly saved: Barcode | null }) {
  const navigate = useNavigate()
  const { data: instance } = useQuery(instanceQuery)
  const [initial] = useState(() => barcodeValuesOf(saved))
  const [kept, markSaved] = useKept(initial)
  const form = useForm(initial, async (values) => {
    const body = barcodeBody(values)
    const { data, message } =
      saved === null ? await api.generateBarcode(body) : await api.editBarcode({ ...body, uuid: saved.uuid })
    queryClient.setQueryData(barcodeQuery(data.uuid).queryKey, data)
    void queryClient.invalidateQueries({ queryKey: ['barcodes', 'list'] })
    void queryClient.invalidateQueries({ queryKey: ['links'] })
    markSaved(values)
    toast.news(message)
    if (saved === null)
      await navigate({ to: '/codes/barcode/$uuid', params: { uuid: data.uuid }, replace: true })
  })
  useUnsavedGuard(form.values, kept, form.isBusy)
  const shown = useDeferredValue(form.values)
  const text = encodedText(shown, saved, instance?.base_url ?? location.origin)
  const drawing = useMemo(() => drawValues(shown, text), [shown, text])
  const isAboutFields = Object.keys(form.faults).length > 0
  return (
    <Form form={form}>
      <StudioFrame
        kind="barcode"
        title={saved === null ? 'New barcode' : (saved.description ?? 'Barcode')}
        actions={
          <>
            {saved !== null && (
              <IconButton
                label="Remove"
                icon={Trash2}
                onClick={() => {
                  removeLater({
                    uuids: [saved.uuid],
                    what: 'barcode',
                    remove: (uuid) => api.removeBarcode({ uuid }),
                    keys: ['barcodes', 'links', 'plan'],
                  })
                  void navigate({ to: '/codes', search: { kind: 'barcode' } })
                }}
              />
            )}
            <Button look="primary" icon={Save} type="submit" isBusy={form.isBusy}>
              {saved === null ? 'Create barcode' : 'Save'}
            </Button>
          </>
        }
        controls={
          <>
            {form.failure !== null && !isAboutFields && <Notice kind="danger">{form.failure}</Notice>}
            <BarcodeControls form={form} />
          </>
        }
        picture={<BarcodePicturePreview {...{ drawing, saved, text }} values={shown} />}
        details={<BarcodeDetails {...{ drawing, saved, text }} values={shown} />}
      />
    </Form>
  )
}
