import { rank, type SearchEntry } from './ranking.ts'

const INDEX = '/docs/search.json'

let index: Promise<SearchEntry[]> | undefined

/** The index, loaded with the first search. */
const loadIndex = (): Promise<SearchEntry[]> =>
  (index ??= fetch(INDEX).then((response) => response.json() as Promise<SearchEntry[]>))

const resultOf = ([path, page, heading]: SearchEntry, at: number): HTMLLIElement => {
  const item = document.createElement('li')
  item.id = `found-${at}`
  item.role = 'option'
  const link = document.createElement('a')
  link.href = `/docs${path}`
  link.tabIndex = -1
  const context = document.createElement('small')
  context.textContent = page
  link.append(heading === '' ? page : heading, ...(heading === '' ? [] : [context]))
  item.append(link)
  return item
}

/** Shows the results below the field; arrow keys select, Enter opens. */
export function startSearch(field: HTMLInputElement, list: HTMLElement): void {
  let chosen = -1
  const items = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role=option]')]

  const choose = (at: number): void => {
    const all = items()
    chosen = all.length === 0 ? -1 : (at + all.length) % all.length
    for (const [place, item] of all.entries()) item.ariaSelected = String(place === chosen)
    const item = all[chosen]
    item?.scrollIntoView({ block: 'nearest' })
    if (item === undefined) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', item.id)
  }

  const close = (): void => {
    list.hidden = true
    field.ariaExpanded = 'false'
  }

  const show = async (): Promise<void> => {
    const query = field.value
    if (query.trim() === '') return close()
    const results = rank(await loadIndex(), query)
    // The text has changed while the index was loading.
    if (query !== field.value) return
    const nothing = document.createElement('li')
    nothing.className = 'nothing'
    nothing.textContent = 'Nothing found'
    list.replaceChildren(...(results.length === 0 ? [nothing] : results.map(resultOf)))
    list.hidden = false
    field.ariaExpanded = 'true'
    choose(0)
  }

  field.addEventListener('input', () => void show())
  field.addEventListener('focus', () => void loadIndex())
  field.addEventListener('keydown', (event) => {
    // During input method composition, Enter and arrow keys belong to the input method.
    if (event.isComposing) return
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') items()[chosen]?.querySelector('a')?.click()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  })
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Node && field.parentElement?.contains(target) === true)) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input,textarea,select') !== null
    if (event.key !== '/' || isTyping) return
    event.preventDefault()
    field.focus()
  })
}
