/*
 * When the focused element disappears, browsers move the focus to the document's body: with the keyboard one then starts
 * again at the top, and screen readers say nothing. Here it moves to what is nearest instead.
 */

const ROWS = '[data-row], li, tr'
const FOCUSABLE =
  ':is(a[href], button, input, select, textarea, summary, [tabindex]):not([disabled], [tabindex="-1"])'

/** Where the focus was: the element, its ancestors, and the position of its row in its list. */
interface Place {
  readonly element: Element
  readonly list: Element | null
  readonly index: number
}

const placeOf = (element: Element): Place => {
  const row = element.closest(ROWS)
  const list = row?.parentElement ?? null
  return { element, list, index: row === null || list === null ? 0 : [...list.children].indexOf(row) }
}

/** Whether it can no longer be focused. */
const isGone = ({ element }: Place): boolean =>
  !element.isConnected || !element.checkVisibility() || element.matches(':disabled')

const focusIn = (row: Element): boolean => {
  const target = row.matches('[tabindex]') ? row : row.querySelector(FOCUSABLE)
  if (!(target instanceof HTMLElement)) return false
  target.focus()
  return document.activeElement === target
}

/** The row that took the place of the former one, or the last one. */
const focusNeighbour = ({ list, index }: Place): boolean => {
  if (list === null || !list.isConnected) return false
  const row = list.children[Math.min(index, list.children.length - 1)]
  return row !== undefined && focusIn(row)
}

function focusFallback(places: readonly Place[]): void {
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog:modal')].at(-1)
  if (dialog !== undefined) return dialog.focus()
  if (places.some(focusNeighbour)) return
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading === null) return document.querySelector<HTMLElement>('main')?.focus()
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

const isInOverlay = (element: Element): boolean => element.closest('dialog, [popover]') !== null

/** Watches the focus from now on. */
export function keepFocus(): void {
  let last: Place | null = null
  /** The last one outside dialogs and menus, to which they give the focus back. */
  let lastBelow: Place | null = null
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return
    last = placeOf(target)
    if (!isInOverlay(target)) lastBelow = last
  }
  // A click on nothing leaves the focus on purpose.
  const onPointerDown = ({ target }: PointerEvent): void => {
    if (target instanceof Element && target.closest(`${FOCUSABLE}, [tabindex], label, dialog`) === null)
      last = lastBelow = null
  }
  const check = (): void => {
    if (document.activeElement !== document.body || last === null || !isGone(last)) return
    const places = [last, lastBelow].filter((place) => place !== null)
    last = lastBelow = null
    focusFallback(places)
  }
  // Once the screen has changed, and after dialogs gave the focus back.
  let frame = 0
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(check)
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'open'] })
  addEventListener('focusin', onFocus)
  addEventListener('pointerdown', onPointerDown)
}
