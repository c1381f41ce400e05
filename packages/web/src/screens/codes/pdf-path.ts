const NUMBERS = /-?(?:\d+\.?\d*|\.\d+)/g

const fixed = (value: number): string => String(Math.round(value * 1000) / 1000)

type Pen = { x: number; y: number; startX: number; startY: number }

const line = (pen: Pen, x: number, y: number): string => {
  pen.x = x
  pen.y = y
  return `${fixed(x)} ${fixed(y)} l`
}

const move = (pen: Pen, x: number, y: number): string => {
  pen.x = pen.startX = x
  pen.y = pen.startY = y
  return `${fixed(x)} ${fixed(y)} m`
}

/** PDF only has cubic curves; a quadratic one is converted by placing the control points at two thirds. */
const curve = (pen: Pen, cx: number, cy: number, x: number, y: number): string => {
  const points = [
    pen.x + ((cx - pen.x) * 2) / 3,
    pen.y + ((cy - pen.y) * 2) / 3,
    x + ((cx - x) * 2) / 3,
    y + ((cy - y) * 2) / 3,
    x,
    y,
  ]
  pen.x = x
  pen.y = y
  return `${points.map(fixed).join(' ')} c`
}

const commands: Record<string, { takes: number; run: (pen: Pen, n: readonly number[]) => string }> = {
  M: { takes: 2, run: (pen, [x = 0, y = 0]) => move(pen, x, y) },
  m: { takes: 2, run: (pen, [x = 0, y = 0]) => move(pen, pen.x + x, pen.y + y) },
  h: { takes: 1, run: (pen, [x = 0]) => line(pen, pen.x + x, pen.y) },
  v: { takes: 1, run: (pen, [y = 0]) => line(pen, pen.x, pen.y + y) },
  l: { takes: 2, run: (pen, [x = 0, y = 0]) => line(pen, pen.x + x, pen.y + y) },
  q: {
    takes: 4,
    run: (pen, [cx = 0, cy = 0, x = 0, y = 0]) => curve(pen, pen.x + cx, pen.y + cy, pen.x + x, pen.y + y),
  },
}

/** Converts the path commands that our pictures use (M m h v l q z) to PDF operators. */
export function pdfPath(path: string): string {
  const pen: Pen = { x: 0, y: 0, startX: 0, startY: 0 }
  const operators: string[] = []
  for (const [, letter = '', rest = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    if (letter === 'z') {
      operators.push('h')
      pen.x = pen.startX
      pen.y = pen.startY
      continue
    }
    const command = commands[letter]
    if (command === undefined) throw new Error(`Path command ${letter} has no PDF operator here`)
    const numbers = (rest.match(NUMBERS) ?? []).map(Number)
    for (let at = 0; at < numbers.length; at += command.takes)
      operators.push(command.run(pen, numbers.slice(at, at + command.takes)))
  }
  return operators.join('\n')
}
