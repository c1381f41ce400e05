import { startSearch } from './search.ts'
import { startTrying } from './try-it.ts'

/* The script of the pages below /docs: search, and trying operations. Everything else works without it. */

for (const part of document.querySelectorAll<HTMLElement>('.needs-script')) part.hidden = false

const search = document.querySelector<HTMLInputElement>('#search')
const found = document.querySelector<HTMLElement>('#found')
if (search !== null && found !== null) startSearch(search, found)

const form = document.querySelector<HTMLFormElement>('form[data-operation]')
const outcome = document.querySelector<HTMLElement>('.outcome')
if (form !== null && outcome !== null) startTrying(form, outcome)

// The list of operations is long: scroll the current page into view.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' })
