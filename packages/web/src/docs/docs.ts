import { startSearch } from './search.ts'
import { startTrying } from './try-it.ts'

/* What the pages below /docs need a script for: searching, and trying operations. Everything else works without. */

for (const part of document.querySelectorAll<HTMLElement>('.needs-script')) part.hidden = false

const search = document.querySelector<HTMLInputElement>('#search')
const found = document.querySelector<HTMLElement>('#found')
if (search !== null && found !== null) startSearch(search, found)

const form = document.querySelector<HTMLFormElement>('form[data-operation]')
const outcome = document.querySelector<HTMLElement>('.outcome')
if (form !== null && outcome !== null) startTrying(form, outcome)

// The list of operations is long: the page that is open is shown in it.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' })
