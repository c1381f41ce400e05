import { fixUtm, type UtmTags } from '@waymark/contract/utm'
import type { Remarks } from './remarks.ts'

type UtmName = keyof UtmTags

/** The linter's remark about a field, in one line, with a button that applies its advice. */
export const utmHint = (
  remarks: Remarks | null,
  tags: UtmTags,
  name: UtmName,
  onFix: (value: string) => void,
) => {
  const remark = remarks?.fields[name]
  if (remark === undefined) return undefined
  const better = fixUtm(tags)[name] ?? ''
  // The text after the colon is an explanation; the tooltip shows all of it.
  const short = remark.split(/: |\. /)[0] ?? remark
  return (
    <span className="flex min-w-0 items-center gap-2 font-medium text-warn">
      <span className="truncate" title={remark}>
        {short.charAt(0).toUpperCase() + short.slice(1)}
      </span>
      {better !== '' && better !== tags[name] && (
        <button
          type="button"
          className="shrink-0 font-semibold text-brand underline underline-offset-2"
          onClick={() => onFix(better)}
        >
          Use “{better}”
        </button>
      )}
    </span>
  )
}
