const DRAWING =
  'viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5d4a"/><path d="M6 8h14.5L27 14.5 20.5 21H6z" fill="#ffc52e"/><path d="M10 11.8l2 5.4 2-4.2 2 4.2 2-5.4" fill="none" stroke="#241d02" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/><path d="M11 21v6.5" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>'

/** The mark of the product, a signpost with a yellow plate, as it stands in HTML. */
export const MARK = `<svg ${DRAWING}`

/** The same as a file of its own. */
export const MARK_FILE = `<svg xmlns="http://www.w3.org/2000/svg" ${DRAWING}`
