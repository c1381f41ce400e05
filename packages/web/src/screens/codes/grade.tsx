import type { QrCode } from '@waymark/sdk'
import { useState } from 'react'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Demanded, loadOnDemand } from '../../ui/load-on-demand.tsx'
import { isGood, millimetres, readIn } from './grade-words.ts'

const GradeDialog = loadOnDemand(async () => (await import('./grade-dialog.tsx')).GradeDialog)

/** The grade of a saved code in words, with the conditions behind it. */
export function CodeGrade({ code }: { readonly code: Pick<QrCode, 'grade' | 'svg_url'> | null }) {
  const [isOpen, setIsOpen] = useState(false)
  if (code?.grade == null) return null
  const { grade, svg_url } = code
  return (
    <section
      aria-label="Grade"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3"
    >
      <span
        className={`grid size-10 shrink-0 place-items-center rounded-md border text-xl font-bold ${isGood(grade) ? 'border-line bg-brand-soft text-brand-strong' : 'border-line bg-warn-soft text-warn'}`}
      >
        <span className="sr-only">Grade </span>
        {grade.letter}
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-semibold">{readIn(grade)}</p>
        <p className="text-muted">Narrowest print: {millimetres(grade.min_width_mm)}</p>
      </div>
      <Button look="ghost" onClick={() => setIsOpen(true)}>
        Explain grade
      </Button>
      {isOpen && (
        <Demanded
          onFailure={({ message }) => {
            toast.failure(message)
            setIsOpen(false)
          }}
        >
          <GradeDialog grade={grade} picture={svg_url} onClose={() => setIsOpen(false)} />
        </Demanded>
      )}
    </section>
  )
}
