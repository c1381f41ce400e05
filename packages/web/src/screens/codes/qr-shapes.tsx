import { EYE, type EyeStyle, INK, inkPaths, type ModuleShape, type Picture } from '@waymark/codes'
import type { QrFormState } from './qr-form.ts'
import { SwatchChoices } from './swatch-choices.tsx'

const SHAPES: readonly { value: ModuleShape; label: string }[] = [
  { value: 'squares', label: 'Squares' },
  { value: 'dots', label: 'Dots' },
  { value: 'rounded', label: 'Rounded' },
  { value: 'classy', label: 'Classy' },
  { value: 'diamond', label: 'Diamond' },
  { value: 'bars', label: 'Bars' },
]

const EYES: readonly { value: EyeStyle; label: string }[] = [
  { value: 'square', label: 'Square' },
  { value: 'rounded', label: 'Rounded' },
  { value: 'circle', label: 'Circle' },
]

/** The shapes of modules and eyes, each drawn as it will look. */
export function QrShapes({ form: { values, set, setValues } }: { readonly form: QrFormState }) {
  const chooseShape = (shape: ModuleShape): void =>
    setValues((before) =>
      shape === 'squares' || shape === 'dots'
        ? { ...before, pattern: shape, style: null }
        : { ...before, style: shape },
    )
  return (
    <>
      <SwatchChoices
        label="Pattern"
        value={values.style ?? values.pattern}
        onValue={chooseShape}
        choices={SHAPES.map((choice) => ({ ...choice, picture: <Sample picture={modules(choice.value)} /> }))}
      />
      <SwatchChoices
        label="Eyes"
        value={values.eye_style}
        onValue={(style) => set('eye_style', style)}
        choices={EYES.map((choice) => ({ ...choice, picture: <Sample picture={eye(choice.value)} /> }))}
      />
    </>
  )
}

// Enough pixels per module for its shape to be drawn.
const MODULE_PX = 8

const picture = (
  rows: readonly string[],
  ink: number,
  look: Pick<Picture, 'shape' | 'eyeStyle'>,
): Picture => {
  const side = rows.length
  return {
    width: side * MODULE_PX,
    height: side * MODULE_PX,
    codeWidth: side * MODULE_PX,
    title: '',
    background: 'none',
    color: 'currentColor',
    eyeColor: 'currentColor',
    ...look,
    grid: {
      columns: side,
      rows: side,
      cells: Uint8Array.from(rows.join(''), (cell) => (cell === '#' ? ink : 0)),
      left: 0,
      top: 0,
      cellWidth: MODULE_PX,
      cellHeight: MODULE_PX,
    },
  }
}

const modules = (shape: ModuleShape): Picture =>
  picture(['##.#.', '.###.', '.#..#', '##.##', '#..#.'], INK, { shape })

const eye = (eyeStyle: EyeStyle): Picture =>
  picture(['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'], EYE, {
    // Not that of the eyes: a picture all of one shape is drawn in one piece.
    shape: 'dots',
    eyeStyle,
  })

function Sample({ picture: { width, height, ...rest } }: { readonly picture: Picture }) {
  return (
    <svg aria-hidden width="34" height="34" viewBox={`0 0 ${width} ${height}`} className="text-ink">
      {inkPaths({ width, height, ...rest }).map(({ path, paint, left, top, scaleX }) => (
        <path
          key={`${left} ${path}`}
          d={path}
          transform={`translate(${left} ${top}) scale(${scaleX})`}
          {...(typeof paint === 'number'
            ? { fill: 'none', stroke: 'currentColor', strokeWidth: paint, strokeLinecap: 'round' as const }
            : { fill: 'currentColor', fillRule: paint === 'overlapping' ? 'nonzero' : 'evenodd' })}
        />
      ))}
    </svg>
  )
}
