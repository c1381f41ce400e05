import type { CallOptions } from './call-options.ts'
import { NotFoundError } from './errors.ts'
import { editFacts } from './operation-facts.gen.ts'
import type { Input, OperationName, ResponseOf } from './operations.ts'

/** What can be changed by its uuid: the list that it is read from, and the operation that edits it. */
export const changeable = {
  links: 'editLinks',
  qrcodes: 'editQr',
  barcodes: 'editBarcode',
  pages: 'editPage',
  utmLinks: 'editUtm',
} as const

/** The name of a list whose resources can be changed. */
export type ChangeableName = keyof typeof changeable

type EditOf<N extends ChangeableName> = (typeof changeable)[N]

/** Any fields of an edit. */
export type Changes<N extends ChangeableName> = Partial<Omit<Input<EditOf<N>>, 'uuid'>>

/** Changes fields of one resource; see `Client`. */
export type Change = <N extends ChangeableName>(
  name: N,
  uuid: string,
  fields: Changes<N>,
  options?: Omit<CallOptions, 'ifMatch'>,
) => Promise<ResponseOf<EditOf<N>>>

type Fields = Readonly<Record<string, unknown>>

/** Two names of one field of pages: a change of one takes the place of the other. */
const SYNONYMS: Fields = { subtext: 'subtitle', subtitle: 'subtext' }

/** The body that applies changes to a resource as it was read: with the required fields of the edit. */
export function changedBody(name: ChangeableName, present: object, fields: object): Fields {
  const { required } = editFacts[changeable[name]]
  const replaced = Object.keys(fields).map((field) => SYNONYMS[field])
  // A page has two structures with required fields of their own, so it is sent back whole.
  const kept = Object.entries(present).filter(([field]) =>
    name === 'pages' ? !replaced.includes(field) : (required as readonly string[]).includes(field),
  )
  return { ...Object.fromEntries(kept), ...fields, uuid: (present as Fields)['uuid'] }
}

/** Reads a resource, applies fields to it, and sends the edit for the version that was read. */
export const changer =
  (call: (name: OperationName, input: object, options?: CallOptions) => Promise<unknown>) =>
  async (name: ChangeableName, uuid: string, fields: object, options?: CallOptions): Promise<unknown> => {
    const { signal, deadlineMs } = options ?? {}
    const { data } = (await call(name, { uuid }, { signal, deadlineMs })) as {
      data: { updated_at: string }[]
    }
    const [present] = data
    if (present === undefined)
      throw new NotFoundError(`There is no resource ${uuid}`, { code: 'not_found', status: 404 })
    return call(changeable[name], changedBody(name, present, fields), { ...options, ifMatch: present })
  }
