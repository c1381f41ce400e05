import type { UploadedFile } from '@waymark/contract'
import { BodyError } from './body-error.ts'
import { MAX_LEVELS } from './body-limits.ts'

export type FormValue = string | null | UploadedFile

/**
 * Fields with bracket names become one object, in the order sent:
 *
 * - `a[]` adds an item; `a[][k]` fills the last item, and begins the next one when that already has `k`;
 *   where lists stand in lists (`a[][][k]`) it is the innermost that goes on.
 * - `a[k]` is a property. When every key is a number the whole is a list in their order, gaps closed, so that an
 *   index is never a size; items sent as `a[]` beside them come after.
 * - A name that is used twice in ways that contradict each other (`a` and `a[b]`, `a[]` and `a[b]`, `a` and `a`)
 *   means what was sent last; inside a list the contradiction begins the next item.
 * - Brackets that do not pair up (`a[b`, `a]`, `[a]`, `a[b]c`) are ordinary characters of a plain name.
 * - An empty name is ignored: it is the field of nothing.
 */
export class FormFields {
  readonly #root = new Branch()

  add(name: string, value: FormValue): void {
    const path = pathOf(name)
    if (path.length > MAX_LEVELS) throw new BodyError('too_deep', `More than ${MAX_LEVELS} levels of nesting`)
    if (name === '') return
    let branch = this.#root
    for (const [index, step] of path.entries()) {
      const rest = path.slice(index + 1)
      branch.admit(step)
      if (rest.length === 0) {
        branch.put(step, value)
        return
      }
      const child = branch.get(step)
      const goesOn = child instanceof Branch && (step !== ITEM || accepts(child, rest))
      branch = goesOn ? child : branch.put(step, new Branch())
    }
  }

  toObject(): Record<string, unknown> {
    return this.#root.toObject()
  }
}

/** The name of the step `[]`: no key can be empty, as an empty pair of brackets is this step. */
const ITEM = ''

type Node = FormValue | Branch

class Branch {
  readonly #keyed = new Map<string, Node>()
  readonly #items: Node[] = []
  #numbered = true

  /** Forgets what contradicts a step that is about to be taken. */
  admit(step: string): void {
    if (step === ITEM && !this.#numbered) {
      this.#keyed.clear()
      this.#numbered = true
    }
    if (step !== ITEM && !/^\d+$/.test(step)) {
      this.#items.length = 0
      this.#numbered = false
    }
  }

  has(step: string): boolean {
    return step === ITEM ? this.#items.length > 0 : this.#keyed.has(step)
  }

  /** Whether a step can be taken without forgetting anything. */
  agrees(step: string): boolean {
    if (step === ITEM) return this.#numbered
    return this.#items.length === 0 || /^\d+$/.test(step)
  }

  get(step: string): Node | undefined {
    return step === ITEM ? this.#items.at(-1) : this.#keyed.get(step)
  }

  put<N extends Node>(step: string, node: N): N {
    if (step === ITEM) this.#items.push(node)
    else this.#keyed.set(step, node)
    return node
  }

  toValue(): unknown {
    return this.#numbered ? this.#toList() : this.toObject()
  }

  toObject(): Record<string, unknown> {
    const object: Record<string, unknown> = Object.create(null)
    for (const [key, node] of this.#keyed) object[key] = valueOf(node)
    return object
  }

  #toList(): unknown[] {
    const numbered = [...this.#keyed].map(([key, node]) => ({ index: key.replace(/^0+(\d)/, '$1'), node }))
    // Compared as text, as an index may have more digits than a number holds.
    numbered.sort(
      (a, b) => a.index.length - b.index.length || (a.index < b.index ? -1 : Number(a.index > b.index)),
    )
    return [...numbered.map(({ node }) => node), ...this.#items].map(valueOf)
  }
}

function valueOf(node: Node): unknown {
  return node instanceof Branch ? node.toValue() : node
}

/** Whether an item of a list can still take a value at that path, or whether it belongs to the next item. */
function accepts(item: Branch, path: readonly string[]): boolean {
  const [step, ...rest] = path
  if (step === undefined) return false
  if (!item.agrees(step)) return false
  if (step === ITEM || !item.has(step)) return true
  const child = item.get(step)
  return child instanceof Branch && accepts(child, rest)
}

/** Stops as soon as there are too many steps: a name can be as long as a body. */
function pathOf(name: string): string[] {
  const open = name.indexOf('[')
  const base = name.slice(0, open)
  if (open < 1 || base.includes(']')) return [name]
  const path = [base]
  for (let at = open; at < name.length && path.length <= MAX_LEVELS;) {
    const close = name.indexOf(']', at)
    const step = name.slice(at + 1, close)
    if (name[at] !== '[' || close === -1 || step.includes('[')) return [name]
    path.push(step)
    at = close + 1
  }
  return path
}
