import { useState } from 'react'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { saveFile } from './save-file.ts'

const TYPES = { pdf: 'application/pdf', svg: 'image/svg+xml', png: 'image/png' } as const
type Format = keyof typeof TYPES

/** Downloads a saved code in millimetres. It is inside the form of a studio, so it has no form of its own. */
export function PrintDialog({
  uuid,
  name,
  onClose,
}: {
  readonly uuid: string
  readonly name: string
  readonly onClose: () => void
}) {
  const [format, setFormat] = useState<Format>('pdf')
  const form = useForm({ width_mm: '40', dpi: '300' }, async ({ width_mm: width, dpi }) => {
    const millimetres = Number(width.replace(',', '.'))
    const bytes = await api.printCode({
      uuid,
      format,
      width_mm: millimetres,
      ...(format === 'png' && { dpi: Number(dpi) }),
    })
    saveFile(
      `${name}-${millimetres}mm.${format}`,
      new Blob([bytes as Uint8Array<ArrayBuffer>], { type: TYPES[format] }),
    )
    onClose()
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Print size"
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" isBusy={form.isBusy} onClick={() => void form.submit()}>
            Download file
          </Button>
        </>
      }
    >
      <div
        role="group"
        aria-label="Print size"
        className="space-y-5"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
          event.preventDefault()
          void form.submit()
        }}
      >
        <FormFailure form={form} />
        <TextField
          label="Width in millimetres"
          inputMode="decimal"
          value={form.values.width_mm}
          onValue={(width) => form.set('width_mm', width)}
          hint="8 to 1,000. The quiet zone is part of the width, a frame and a caption are not."
          faults={form.faults['width_mm']}
        />
        <Segments
          label="Format"
          value={format}
          onValue={setFormat}
          options={[
            { value: 'pdf', label: 'PDF' },
            { value: 'svg', label: 'SVG' },
            { value: 'png', label: 'PNG' },
          ]}
        />
        {format === 'png' && (
          <TextField
            label="Pixels per inch"
            inputMode="numeric"
            value={form.values.dpi}
            onValue={(dpi) => form.set('dpi', dpi)}
            hint="72 to 1,200"
            faults={form.faults['dpi']}
          />
        )}
      </div>
    </Dialog>
  )
}
