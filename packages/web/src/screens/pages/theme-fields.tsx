import { classes } from '../../ui/classes.ts'
import { ColorField } from '../../ui/color-field.tsx'
import { SelectField, SliderField } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Card } from '../../ui/screen.tsx'
import type { PageFormState } from './page-form.ts'
import { Swatch } from './swatch.tsx'
import { type BoxName, type ColorName, presets, type ThemeValues } from './themes.ts'

const shapes = [
  { value: '', label: 'Straight' },
  { value: 'polygon(0 0, 100% 0, 100% 70%, 0 100%)', label: 'Slope' },
  { value: 'polygon(0 0, 100% 0, 100% 75%, 50% 100%, 0 75%)', label: 'Point' },
  { value: 'ellipse(75% 100% at 50% 0)', label: 'Arch' },
]

const colorLabels: readonly { name: ColorName; label: string; on?: ColorName }[] = [
  { name: 'bgColor', label: 'Background' },
  { name: 'bodyBg', label: 'Outer background' },
  { name: 'textColor', label: 'Title colour', on: 'bgColor' },
  { name: 'subTextColor', label: 'Text colour', on: 'bgColor' },
  { name: 'buttonBgColor', label: 'Button colour' },
  { name: 'buttonTextColor', label: 'Button text colour', on: 'buttonBgColor' },
  { name: 'socialIconColor', label: 'Icon colour' },
  { name: 'logoBgColor', label: 'Logo background' },
  { name: 'borderColor', label: 'Border colour' },
]

const same = (a: ThemeValues, b: ThemeValues): boolean => JSON.stringify(a) === JSON.stringify(b)

export function ThemeFields({ form }: { readonly form: PageFormState }) {
  const { values, set, faults } = form
  const { theme, shape } = values
  const setColor = (name: ColorName, color: string): void =>
    set('theme', { ...theme, colors: { ...theme.colors, [name]: color === '' ? null : color } })
  const setBox = (name: BoxName, value: string): void =>
    set('theme', { ...theme, box: { ...theme.box, [name]: value.trim() === '' ? null : value } })
  const setEnd = (end: 0 | 1, color: string): void =>
    set('theme', {
      ...theme,
      gradient: end === 0 ? [color || null, theme.gradient[1]] : [theme.gradient[0], color || null],
    })
  const faultOf = (name: string): readonly string[] | undefined => faults[`theme.${name}`]
  return (
    <Card title="Theme">
      <ul className="mb-5 grid grid-cols-2 gap-3 sm:grid-cols-4">
        {presets.map((preset) => {
          const isChosen = same(preset.theme, theme)
          return (
            <li key={preset.name}>
              <button
                type="button"
                aria-pressed={isChosen}
                onClick={() => set('theme', preset.theme)}
                className={classes(
                  'w-full overflow-hidden rounded-lg border text-left transition-colors',
                  isChosen ? 'border-brand ring-2 ring-brand' : 'border-line-strong hover:border-brand',
                )}
              >
                <Swatch theme={preset.theme} />
                <span className="block truncate px-2.5 pt-1.5 pb-1 text-xs font-semibold">{preset.name}</span>
              </button>
            </li>
          )
        })}
      </ul>
      <Fold
        title="Colours, borders and shapes"
        isOpen={Object.keys(faults).some((name) => /^(theme|topShape)/.test(name))}
      >
        <div className="grid gap-5 sm:grid-cols-2">
          {colorLabels.map(({ name, label, on }) => (
            <ColorField
              key={name}
              label={label}
              isOptional
              placeholder="automatic"
              value={theme.colors[name] ?? ''}
              onValue={(color) => setColor(name, color)}
              against={
                on === undefined || theme.colors[name] === null ? undefined : (theme.colors[on] ?? undefined)
              }
              least={4.5}
              faults={faultOf(name)}
            />
          ))}
          <ColorField
            label="Gradient from"
            isOptional
            placeholder="none"
            value={theme.gradient[0] ?? ''}
            onValue={(color) => setEnd(0, color)}
            faults={faultOf('bggradient.0') ?? faultOf('bggradient')}
          />
          <ColorField
            label="Gradient to"
            isOptional
            placeholder="none"
            value={theme.gradient[1] ?? ''}
            onValue={(color) => setEnd(1, color)}
            faults={faultOf('bggradient.1')}
          />
          <BoxField
            name="borderWidth"
            label="Border width"
            placeholder="1px"
            {...{ theme, setBox, faultOf }}
          />
          <BoxField
            name="borderRadius"
            label="Corner radius"
            placeholder="16px"
            {...{ theme, setBox, faultOf }}
          />
          <BoxField
            name="boxShadow"
            label="Shadow"
            placeholder="0 8px 30px rgba(0, 0, 0, 0.2)"
            {...{ theme, setBox, faultOf }}
          />
        </div>
        <div className="grid gap-5 border-t border-line pt-5 sm:grid-cols-2">
          <SliderField
            label="Header shape height"
            min={0}
            max={400}
            step={10}
            unit=" px"
            value={shape.height}
            onValue={(height) => set('shape', { ...shape, height })}
            faults={faults['topShape.height']}
          />
          {shape.height > 0 && (
            <>
              <ColorField
                label="Header shape colour"
                isOptional
                placeholder="automatic"
                value={shape.color}
                onValue={(color) => set('shape', { ...shape, color })}
                faults={faults['topShape.color']}
              />
              <SelectField
                label="Header shape edge"
                value={shape.clip}
                onValue={(clip) => set('shape', { ...shape, clip })}
                options={
                  shapes.some(({ value }) => value === shape.clip)
                    ? shapes
                    : [...shapes, { value: shape.clip, label: 'Custom' }]
                }
                faults={faults['topShape.clip']}
              />
            </>
          )}
        </div>
      </Fold>
    </Card>
  )
}

function BoxField({
  name,
  label,
  placeholder,
  theme,
  setBox,
  faultOf,
}: {
  readonly name: BoxName
  readonly label: string
  readonly placeholder: string
  readonly theme: ThemeValues
  readonly setBox: (name: BoxName, value: string) => void
  readonly faultOf: (name: string) => readonly string[] | undefined
}) {
  return (
    <TextField
      label={label}
      isOptional
      placeholder={placeholder}
      value={theme.box[name] ?? ''}
      onValue={(value) => setBox(name, value)}
      faults={faultOf(name)}
    />
  )
}
