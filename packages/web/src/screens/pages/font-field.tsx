import { fontFaces, fontFamily, type PageFont } from '@waymark/page'
import { useEffect } from 'react'
import { classes } from '../../ui/classes.ts'
import type { ThemeValues } from './themes.ts'

const fonts: readonly { value: ThemeValues['font']; label: string }[] = [
  { value: null, label: 'System' },
  { value: 'overpass', label: 'Overpass' },
  { value: 'overpass-mono', label: 'Overpass Mono' },
  { value: 'serif', label: 'Serif' },
  { value: 'rounded', label: 'Rounded' },
]

/** The fonts that visitors download from this server; others are on their devices. */
const served: readonly PageFont[] = ['overpass', 'overpass-mono']

/** The font of a page. Each option is shown in its own font. */
export function FontField({
  value,
  onValue,
}: {
  readonly value: ThemeValues['font']
  readonly onValue: (font: ThemeValues['font']) => void
}) {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(served.map(fontFaces).join(''))
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }, [])
  return (
    <fieldset className="mb-5">
      <legend className="mb-2 text-sm font-semibold">Font</legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-5">
        {fonts.map(({ value: font, label }) => (
          <label
            key={label}
            style={{ fontFamily: fontFamily(font) }}
            className={classes(
              'flex min-h-14 cursor-pointer flex-col items-center justify-center rounded-lg border px-2 py-2 text-center has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
              value === font
                ? 'border-brand ring-2 ring-brand'
                : 'border-line-strong transition-colors hover:border-brand',
            )}
          >
            <input
              type="radio"
              name="font"
              className="sr-only"
              checked={value === font}
              onChange={() => onValue(font)}
            />
            <span aria-hidden className="text-xl leading-tight font-bold">
              Ag
            </span>
            <span className="text-xs font-semibold">{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
