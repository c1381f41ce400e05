const GAP_PX = 6
const EDGE_PX = 8

/** Positions an open popover below its element, or above it if there is no room. */
export function placePopover(popover: HTMLElement, anchor: HTMLElement, align: 'start' | 'end'): void {
  const box = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const wanted = align === 'end' ? box.right - width : box.left
  const left = Math.max(EDGE_PX, Math.min(wanted, innerWidth - width - EDGE_PX))
  const below = box.bottom + GAP_PX
  const fitsBelow = below + height <= innerHeight - EDGE_PX
  const top = fitsBelow ? below : Math.max(EDGE_PX, box.top - height - GAP_PX)
  popover.style.left = `${left}px`
  popover.style.top = `${top}px`
}
