/*
 * Programs that use clients generated from the OpenAPI description by other tools. Each has only an access token, and makes one
 * call of each kind. They are compiled strictly and run against a live server.
 */

const BEGIN = `const { BASE_URL = '', TOKEN = '', PICTURE = '' } = process.env
const logo = new Blob([Uint8Array.from(Buffer.from(PICTURE, 'base64'))], { type: 'image/png' })
const check = (what: string, holds: boolean): void => {
  if (!holds) throw new Error(what)
  console.log(what)
}
const link = 'https://example.com/a'
`

const openapiFetch = `import createClient from 'openapi-fetch'
import type { paths } from './schema.js'
${BEGIN}
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: \`Bearer \${TOKEN}\` } })

const made = await client.POST('/v1/generate-link', { body: { link, tags: ['fetch'] } })
const uuid: string = made.data?.data.uuid ?? ''
check('creates', made.response.status === 201 && uuid !== '')
const edited = await client.POST('/v1/edit-links', { body: { uuid, link, title: 'B' } })
check('edits', edited.data?.data.title === 'B')
const listed = await client.GET('/v1/links', { params: { query: { limit: 10, tag: 'fetch' } } })
check('lists', listed.data?.meta.total === 1 && listed.data.data[0]?.uuid === uuid)
const plan = await client.GET('/v1/current-plan')
check('reads what needs a signature with a key', plan.data?.data.name === 'free')
const code = await client.POST('/v1/generate-qr', {
  headers: { 'Content-Type': null },
  body: { url: link, pattern: 'dots', logo: logo as unknown as string },
  bodySerializer(body) {
    const form = new FormData()
    for (const [name, value] of Object.entries(body)) form.append(name, value as string | Blob)
    return form
  },
})
check('uploads', code.data?.data.logo?.includes('/m/') === true)
const wrong = await client.POST('/v1/generate-link', { body: { link: 'nowhere' } })
check('is told of invalid fields', wrong.response.status === 422 && wrong.error?.errors?.['link'] !== undefined)
const removed = await client.POST('/v1/remove-links', { body: { uuid } })
check('removes', removed.response.status === 200)
`

const heyApi = `import { currentPlan, editLinks, generateLink, generateQr, links, removeLinks } from './hey/index.js'
import { toForm } from './form.js'
import { client } from './hey/client.gen.js'
${BEGIN}
client.setConfig({ baseUrl: BASE_URL, auth: ({ scheme }) => (scheme === 'bearer' ? TOKEN : undefined) })

const made = await generateLink({ body: { link, tags: ['hey'] } })
const uuid: string = made.data?.data.uuid ?? ''
check('creates', made.response?.status === 201 && uuid !== '')
const edited = await editLinks({ body: { uuid, link, title: 'B' } })
check('edits', edited.data?.data.title === 'B')
const listed = await links({ query: { limit: 10, tag: 'hey' } })
check('lists', listed.data?.meta.total === 1 && listed.data.data[0]?.uuid === uuid)
const plan = await currentPlan()
check('reads what needs a signature with a key', plan.data?.data.name === 'free')
const form = { bodySerializer: toForm, headers: { 'Content-Type': null } }
const code = await generateQr({ body: { url: link, pattern: 'dots', logo }, ...form })
check('uploads', code.data?.data.logo?.includes('/m/') === true)
const wrong = await generateLink({ body: { link: 'nowhere' } })
check('is told of invalid fields', wrong.response?.status === 422 && wrong.error?.errors?.['link'] !== undefined)
const removed = await removeLinks({ body: { uuid } })
check('removes', removed.response?.status === 200)
`

const orval = `import { currentPlan, editLinks, generateLink, generateQr, links, removeLinks } from './orval/client.js'
${BEGIN}
const options = { headers: { Authorization: \`Bearer \${TOKEN}\` } }

const made = await generateLink({ link, tags: ['orval'] }, options)
const uuid: string = made.status === 201 ? made.data.data.uuid : ''
check('creates', uuid !== '')
const edited = await editLinks({ uuid, link, title: 'B' }, options)
check('edits', edited.status === 200 && edited.data.data.title === 'B')
const listed = await links({ limit: 10, tag: 'orval' }, options)
check('lists', listed.status === 200 && listed.data.meta.total === 1 && listed.data.data[0]?.uuid === uuid)
const plan = await currentPlan(options)
check('reads what needs a signature with a key', plan.status === 200 && plan.data.data.name === 'free')
const code = await generateQr({ url: link, pattern: 'dots', logo }, options)
check('uploads', code.status === 201 && code.data.data.logo?.includes('/m/') === true)
const wrong = await generateLink({ link: 'nowhere' }, options)
check('is told of invalid fields', wrong.status === 422 && wrong.data.errors?.['link'] !== undefined)
const removed = await removeLinks({ uuid }, options)
check('removes', removed.status === 200)
`

export const PROGRAMS: Readonly<Record<string, string>> = {
  'openapi-fetch': openapiFetch,
  'hey-api': heyApi,
  orval,
}

/** Generators send flat forms, but nested fields have bracket names here. Developers need a function like this one. */
export const FORM = `export const toForm = (body: unknown): FormData => {
  const form = new FormData()
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return
    if (value instanceof Blob) form.append(name, value)
    else if (Array.isArray(value)) value.forEach((item, at) => add(\`\${name}[\${at}]\`, item))
    else if (typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) add(\`\${name}[\${key}]\`, inner)
    else form.append(name, String(value))
  }
  for (const [name, value] of Object.entries(body ?? {})) add(name, value)
  return form
}
`

export const orvalConfig = (baseUrl: string): string => `export default {
  waymark: {
    input: './openapi.json',
    output: {
      target: './orval/client.ts',
      client: 'fetch',
      baseUrl: '${baseUrl}',
      override: { formData: { path: './form.ts', name: 'toForm' } },
    },
  },
}
`
