import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'

/** A form that focuses the first invalid field when the server rejects it. */
export function Form({
  form,
  className,
  id,
  children,
}: {
  readonly form: { readonly rejections: number; readonly onSubmit: (event: FormEvent) => void }
  readonly className?: string
  readonly id?: string
  readonly children: ReactNode
}) {
  const ref = useRef<HTMLFormElement>(null)
  const { rejections } = form
  useEffect(() => {
    if (rejections > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [rejections])
  return (
    <form ref={ref} id={id} onSubmit={form.onSubmit} noValidate className={className}>
      {children}
    </form>
  )
}
