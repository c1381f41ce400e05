import { Notice } from '../ui/notice.tsx'
import type { FieldFaults } from './use-form.ts'

/** The server's sentence about a form as a whole; what is about fields stands under the fields. */
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
