import { type Condition, CONDITIONS } from '@waymark/codes/conditions'
import { Check, TriangleAlert } from 'lucide-react'
import { type CSSProperties, useEffect, useRef } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { type Grade, millimetres, readIn } from './grade-words.ts'

const TILE_PX = 112
/** The upper edge of a tilted picture is shorter by its share, at this angle. */
const TILT_DEGREES = 25

/** How a condition looks, with the styles of the browser. */
const styleOf = (condition: Condition): CSSProperties => {
  if ('blurPx' in condition) return { filter: `blur(${condition.blurPx}px)` }
  if ('degrees' in condition) return { transform: `rotate(${condition.degrees}deg) scale(0.75)` }
  if ('scale' in condition) return { transform: `scale(${condition.scale})` }
  if ('contrast' in condition) return { filter: `contrast(${condition.contrast})` }
  if (!('tilt' in condition)) return {}
  const depth = TILE_PX * Math.sin((TILT_DEGREES * Math.PI) / 180)
  const distance = (depth * (1 - condition.tilt)) / condition.tilt
  return { transform: `perspective(${distance}px) rotateX(${TILT_DEGREES}deg)`, transformOrigin: 'bottom' }
}

/** The code in each of the twelve conditions in which it is graded, and whether it was read there. */
export function GradeDialog({
  grade,
  picture,
  onClose,
}: {
  readonly grade: Grade
  readonly picture: string
  readonly onClose: () => void
}) {
  return (
    <Dialog isOpen isWide onClose={onClose} title={`Grade ${grade.letter}`}>
      <p className="mb-4 text-muted">
        {readIn(grade)}. The server makes the picture worse in these twelve ways, and reads each with two
        decoders. Printed narrower than {millimetres(grade.min_width_mm)}, it may not scan.
      </p>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {CONDITIONS.map(({ condition: name, mild, harsh }) => {
          const isWeak = grade.reasons.includes(name) || grade.reasons.includes('as it is')
          const Icon = isWeak ? TriangleAlert : Check
          return (
            <li key={name} className="rounded-md border border-line p-2">
              <div className="grid grid-cols-2 gap-1.5">
                <Degraded picture={picture} condition={mild} />
                <Degraded picture={picture} condition={harsh} />
              </div>
              <p
                className={`mt-2 flex items-start gap-1.5 text-sm font-semibold ${isWeak ? 'text-warn' : 'text-brand'}`}
              >
                <Icon aria-hidden size={15} className="mt-0.5 shrink-0" />
                <span>
                  {name.charAt(0).toUpperCase() + name.slice(1)}
                  {isWeak ? ': not always read' : ': read'}
                </span>
              </p>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

function Degraded({ picture, condition }: { readonly picture: string; readonly condition: Condition }) {
  return (
    <span aria-hidden className="relative grid aspect-square overflow-hidden rounded-sm bg-sunken">
      <img src={picture} alt="" className="size-full object-contain" style={styleOf(condition)} />
      {'shadow' in condition && (
        <span
          className="absolute inset-0"
          style={{ background: `linear-gradient(to right, transparent, rgb(0 0 0 / ${condition.shadow}))` }}
        />
      )}
      {'noise' in condition && <Noise level={condition.noise} />}
    </span>
  )
}

/** Random pixels, lighter and darker. */
function Noise({ level }: { readonly level: number }) {
  const ref = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = ref.current?.getContext('2d')
    if (context == null) return
    const image = context.createImageData(TILE_PX, TILE_PX)
    for (let at = 0; at < image.data.length; at += 4) {
      image.data.fill(Math.random() < 0.5 ? 0 : 255, at, at + 3)
      image.data[at + 3] = Math.random() * level * 4
    }
    context.putImageData(image, 0, 0)
  }, [level])
  return <canvas ref={ref} width={TILE_PX} height={TILE_PX} className="absolute inset-0 size-full" />
}
