import { Notice } from '../ui/notice.tsx'
import type { FieldFaults } from './invalid-input.ts'

/** The server's message about the form as a whole; messages about fields are shown at the fields. */
export function FormFailure({
  form,
  className = '',
}: {
  readonly form: { readonly failure: string | null; readonly faults: FieldFaults }
  readonly className?: string
}) {
  if (form.failure === null || Object.keys(form.faults).length > 0) return null
  return (
    <Notice kind="danger" className={className}>
      {form.failure}
    </Notice>
  )
}
