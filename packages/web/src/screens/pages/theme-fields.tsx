import { useQuery } from '@tanstack/react-query'
import { classes } from '../../ui/classes.ts'
import { ColorField } from '../../ui/color-field.tsx'
import { SelectField, SliderField } from '../../ui/choices.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Card } from '../../ui/screen.tsx'
import type { PageFormState } from './page-form.ts'
import { Swatch } from './swatch.tsx'
import { BrandKitButton } from '../brand-kit/brand-kit-button.tsx'
import { type BrandKit, brandKitQuery } from '../brand-kit/brand-kit.ts'
import { FontField } from './font-field.tsx'
import { type BoxName, brandTheme, type ColorName, presets, type ThemeValues } from './themes.ts'

const shapes = [
  { value: '', label: 'Straight' },
  { value: 'polygon(0 0, 100% 0, 100% 70%, 0 100%)', label: 'Slope' },
  { value: 'polygon(0 0, 100% 0, 100% 75%, 50% 100%, 0 75%)', label: 'Point' },
  { value: 'ellipse(75% 100% at 50% 0)', label: 'Arch' },
]

const boxControls: readonly { name: BoxName; label: string; choices: readonly Choice[] }[] = [
  {
    name: 'borderWidth',
    label: 'Border',
    choices: [
      { value: '', label: 'Automatic' },
      { value: '0', label: 'None' },
      { value: '1px', label: 'Thin' },
      { value: '2px', label: 'Medium' },
      { value: '4px', label: 'Thick' },
    ],
  },
  {
    name: 'borderRadius',
    label: 'Corners',
    choices: [
      { value: '', label: 'Automatic' },
      { value: '0', label: 'Square' },
      { value: '2px', label: 'Crisp' },
      { value: '6px', label: 'Slightly rounded' },
      { value: '14px', label: 'Rounded' },
      { value: '22px', label: 'Very rounded' },
      { value: '999px', label: 'Pill' },
    ],
  },
  {
    name: 'boxShadow',
    label: 'Shadow',
    choices: [
      { value: '', label: 'Automatic' },
      { value: 'none', label: 'None' },
      { value: '0 4px 16px -6px rgba(0, 0, 0, 0.25)', label: 'Soft' },
      { value: '0 18px 50px -20px rgba(31, 51, 21, 0.35)', label: 'Lifted' },
      { value: '0 24px 70px -18px rgba(0, 0, 0, 0.55)', label: 'Strong' },
      { value: '8px 8px 0 rgba(0, 0, 0, 0.85)', label: 'Hard' },
    ],
  },
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
  const { data: kit } = useQuery(brandKitQuery)
  const { values, set, setValues, faults } = form
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
  const applyKit = (kit: BrandKit, logoFile: File | null): void =>
    setValues((before) => ({
      ...before,
      theme: { ...before.theme, ...brandTheme(kit) },
      ...(logoFile === null ? {} : { hasLogo: true, logo: URL.createObjectURL(logoFile), logoFile }),
    }))
  const faultOf = (name: string): readonly string[] | undefined => faults[`theme.${name}`]
  return (
    <Card title="Theme" aside={<BrandKitButton kit={kit} onApply={applyKit} />}>
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
      <FontField value={theme.font} onValue={(font) => set('theme', { ...theme, font })} />
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
          {boxControls.map(({ name, label, choices }) => (
            <CssChoice
              key={name}
              label={label}
              value={theme.box[name] ?? ''}
              onValue={(value) => setBox(name, value)}
              choices={choices}
              faults={faultOf(name)}
            />
          ))}
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
              <CssChoice
                label="Header shape edge"
                value={shape.clip}
                onValue={(clip) => set('shape', { ...shape, clip })}
                choices={shapes}
                faults={faults['topShape.clip']}
              />
            </>
          )}
        </div>
      </Fold>
    </Card>
  )
}

interface Choice {
  readonly value: string
  readonly label: string
}

/** A CSS value by name. A value without a name, set through the API, stays until another one is chosen. */
function CssChoice({
  value,
  choices,
  ...rest
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly choices: readonly Choice[]
  readonly faults: readonly string[] | undefined
}) {
  const isNamed = choices.some((choice) => choice.value === value)
  return (
    <SelectField
      {...rest}
      value={value}
      options={isNamed ? choices : [...choices, { value, label: 'Custom' }]}
    />
  )
}
