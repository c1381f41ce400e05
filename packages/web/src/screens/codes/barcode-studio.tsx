import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Barcode } from '@waymark/sdk'
import { Save } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { instanceQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { barcodeQuery } from '../../api/resources.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useRowForm } from '../../forms/use-row-form.ts'
import { useUnsavedGuard } from '../../forms/use-unsaved-guard.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { RemoveButton } from '../remove-button.tsx'
import { BarcodeControls } from './barcode-controls.tsx'
import { barcodeBody, barcodeValuesOf, nameOfField } from './barcode-form.ts'
import { useBarcodeDrawing } from './barcode-drawing.ts'
import { SavedCode, StudioFrame } from './studio.tsx'
import { BarcodeDetails, BarcodePicturePreview } from './barcode-preview.tsx'
import { encodedText } from './encoded-text.ts'

export function BarcodeStudio() {
  const { uuid } = useParams({ from: '/inside/codes/barcode/$uuid' })
  const { url } = useSearch({ from: '/inside/codes/barcode/$uuid' })
  const isNew = uuid === 'new'
  const query = useQuery({ ...barcodeQuery(uuid), enabled: !isNew })
  if (isNew) return <Studio key="new" saved={null} url={url} />
  return <SavedCode query={query}>{(code) => <Studio key={code.uuid} saved={code} />}</SavedCode>
}

function Studio({ saved, url }: { readonly saved: Barcode | null; readonly url?: string | undefined }) {
  const navigate = useNavigate()
  const { data: instance } = useQuery(instanceQuery)
  const [initial] = useState(() => barcodeValuesOf(saved, url))
  const form = useRowForm(saved, {
    initial,
    valuesOf: (code) => barcodeValuesOf(code),
    nameOf: nameOfField,
    create: (values) => api.generateBarcode(barcodeBody(values)),
    edit: (row, values) => api.editBarcode({ ...barcodeBody(values), uuid: row.uuid }, { ifMatch: row }),
    onSaved: async ({ data, message }) => {
      queryClient.setQueryData(barcodeQuery(data.uuid).queryKey, data)
      void queryClient.invalidateQueries({ queryKey: ['barcodes', 'list'] })
      void queryClient.invalidateQueries({ queryKey: ['links'] })
      toast.news(message)
      if (saved === null)
        await navigate({ to: '/codes/barcode/$uuid', params: { uuid: data.uuid }, replace: true })
      return barcodeValuesOf(data)
    },
  })
  useUnsavedGuard(form)
  const shown = useDeferredValue(form.values)
  const text = encodedText(shown, saved, instance?.base_url ?? location.origin)
  const drawing = useBarcodeDrawing(shown, text, saved)
  return (
    <Form form={form}>
      <StudioFrame
        kind="barcode"
        title={saved === null ? 'New barcode' : (saved.description ?? 'Barcode')}
        actions={
          <>
            {saved !== null && (
              <RemoveButton
                does="removeBarcode"
                uuid={saved.uuid}
                what="barcode"
                remove={(uuids) => api.removeBarcode({ uuids })}
                stakes={{ visits: saved.scans, visit: 'scan', mayBePrinted: true }}
                onRemoved={() => void navigate({ to: '/codes', search: { kind: 'barcode' } })}
              />
            )}
            <Button does="editBarcode" look="primary" icon={Save} type="submit" isBusy={form.isBusy}>
              {saved === null ? 'Create barcode' : 'Save changes'}
            </Button>
          </>
        }
        controls={
          <>
            <FormFailure form={form} />
            <BarcodeControls form={form} />
          </>
        }
        picture={<BarcodePicturePreview {...{ drawing, saved, text }} values={shown} />}
        details={
          <BarcodeDetails
            {...{ drawing, saved, text }}
            values={shown}
            onSymbology={(symbology) => form.set('symbology', symbology)}
          />
        }
      />
    </Form>
  )
}
