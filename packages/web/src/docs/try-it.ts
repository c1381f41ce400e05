import { createClient, type Client, WaymarkError } from '@waymark/sdk'

/* Tries an operation: reads the form, signs with the SDK (WebCrypto), and shows request and response. */

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

interface Exchange {
  request: string
  status: number
  headers: string
  body: string
}

const KEPT_HEADERS = ['x-request-id', 'x-ratelimit-remaining', 'retry-after', 'idempotent-replayed']

/** Credentials survive navigation to the next page, and end with the tab. */
const storedIn = (name: string): string => `waymark-docs-${name}`

const restoreCredentials = (form: HTMLFormElement): void => {
  for (const field of form.querySelectorAll<HTMLInputElement>('[data-credential]')) {
    const name = storedIn(field.dataset['credential'] ?? '')
    field.value = sessionStorage.getItem(name) ?? ''
    field.addEventListener('input', () => sessionStorage.setItem(name, field.value.trim()))
  }
}

const credential = (form: HTMLFormElement, name: string): string =>
  form.querySelector<HTMLInputElement>(`[data-credential="${name}"]`)?.value.trim() ?? ''

class FieldError extends Error {}

const valueOf = (control: Control): unknown => {
  const { value, dataset, name } = control
  if (control instanceof HTMLInputElement && control.type === 'file') return control.files?.[0]
  if (value === '') return undefined
  if (dataset['kind'] === 'boolean') return value === 'true'
  if (dataset['kind'] === 'integer' || dataset['kind'] === 'number') return Number(value)
  if (dataset['kind'] !== 'json') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    // Fields that accept a text as well as a list or object.
    if (!/^\s*[[{"]/.test(value)) return value
    throw new FieldError(`${name}: this is not valid JSON`)
  }
}

const inputOf = (form: HTMLFormElement): Record<string, unknown> => {
  const controls = [...form.querySelectorAll<Control>('[name]')]
  const entries = controls.map((control) => [control.name, valueOf(control)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const shownHeaders = (headers: Headers): string =>
  [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')

/** Sends with `fetch`, and records request and response as text. */
const watchedFetch =
  (exchange: Exchange): typeof fetch =>
  async (url, init) => {
    const headers = new Headers(init?.headers)
    const { pathname, search } = new URL(url instanceof Request ? url.url : url, location.href)
    const body = typeof init?.body === 'string' ? `\n\n${init.body}` : ''
    exchange.request = `${init?.method ?? 'GET'} ${pathname}${search}\n${shownHeaders(headers)}${body}`
    const response = await fetch(url, init)
    exchange.status = response.status
    exchange.headers = KEPT_HEADERS.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [`${name}: ${value}`]
    }).join('\n')
    const copy = response.clone()
    const isText = /json|text/.test(response.headers.get('content-type') ?? '')
    exchange.body = isText ? await copy.text() : `${(await copy.arrayBuffer()).byteLength} bytes`
    return response
  }

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const block = (title: string, text: string): HTMLElement[] => {
  const heading = document.createElement('h3')
  heading.textContent = title
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.textContent = text
  return [heading, pre]
}

/** The picture of a created or edited code, if this instance serves it. */
const pictureIn = (body: string): HTMLElement[] => {
  const address = /"svg_url": ?"([^"]+)"/.exec(body)?.[1]
  if (address === undefined || new URL(address).origin !== location.origin) return []
  const picture = document.createElement('img')
  picture.src = address
  picture.alt = 'The code'
  return [picture]
}

const show = (outcome: HTMLElement, { request, status, headers, body }: Exchange): void => {
  const line = document.createElement('p')
  line.className = status < 400 ? 'status good' : 'status bad'
  line.textContent = `Status ${status}`
  outcome.replaceChildren(
    line,
    ...pictureIn(body),
    ...block('Response', [headers, pretty(body)].filter((text) => text !== '').join('\n\n')),
    ...block('Request', request),
  )
}

const problem = (outcome: HTMLElement, text: string): void => {
  const line = document.createElement('p')
  line.className = 'status bad'
  line.textContent = text
  outcome.replaceChildren(line)
}

const call = async (form: HTMLFormElement, exchange: Exchange): Promise<void> => {
  const secret = credential(form, 'secret')
  const client = createClient({
    baseUrl: location.origin,
    apiKey: credential(form, 'key'),
    ...(secret === '' ? {} : { secret }),
    fetch: watchedFetch(exchange),
    retries: 0,
    deadlineMs: 60_000,
  })
  const name = form.dataset['operation'] as keyof Client
  await (client[name] as (input: object) => PromiseLike<unknown>)(inputOf(form))
}

const isSafe = (name: string): boolean => !/^(?:remove|undo|updatePassword)/.test(name)

/** Connects the form's handlers. */
export function startTrying(form: HTMLFormElement, outcome: HTMLElement): void {
  restoreCredentials(form)
  const button = form.querySelector('button')
  const needsSecret = form.querySelector('[data-credential="secret"]') !== null
  if (needsSecret && !isSecureContext) {
    problem(outcome, 'Browsers sign only on HTTPS or localhost.')
    if (button !== null) button.disabled = true
  }
  const send = async (): Promise<void> => {
    const exchange: Exchange = { request: '', status: 0, headers: '', body: '' }
    if (button !== null) button.disabled = true
    try {
      await call(form, exchange)
    } catch (error) {
      // An error of the API has a response, which is shown like any other.
      if (exchange.status === 0) {
        const isExpected =
          error instanceof FieldError || error instanceof WaymarkError || error instanceof TypeError
        return problem(outcome, isExpected ? error.message : 'The request could not be sent')
      }
    } finally {
      if (button !== null) button.disabled = false
    }
    show(outcome, exchange)
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const name = form.dataset['operation'] ?? ''
    if (isSafe(name) || confirm('This acts on real data. Send it?')) void send()
  })
}
