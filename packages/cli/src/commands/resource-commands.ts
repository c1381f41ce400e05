import { changeable, type ChangeableName, changedBody } from '@waymark/sdk'
import type { Command } from 'commander'
import { connect } from '../credentials.ts'
import { findResource, idText, uuidOf } from '../find-resource.ts'
import { callOf, type Fields } from '../operations/call.ts'
import { addFields, type Field, fieldsOf, inputOf } from '../operations/fields.ts'
import { readInput, withFiles } from '../operations/files.ts'
import { checkPicturePath, savePicture } from '../pictures.ts'
import { card, print, type Printed, rowsOf } from '../print.ts'
import type { Resource } from '../resources.ts'
import { jsonOption, line, type Output, UsageError } from '../terminal/index.ts'
import { withExamples } from './examples.ts'
import { addStats } from './stats-command.ts'

type Options = Output & Fields & { readonly out?: string; readonly input?: string }

/** Adds create, list, edit, remove and stats commands for a resource, each from its operation. */
export function addResourceCommands(group: Command, resource: Resource): void {
  addCreate(group, resource)
  addList(group, resource)
  addEdit(group, resource)
  addRemove(group, resource)
  if (resource.operations.stats !== undefined) addStats(group, resource, resource.operations.stats)
}

/** The options that create and edit share. */
function addWriteOptions(command: Command, resource: Resource): void {
  for (const type of resource.contents ?? [])
    command.option(`--${type} <fields...>`, `content of type ${type}, as name=value`)
  if (resource.hasPicture) command.option('--out <path>', 'save the picture: .svg or .png')
  command.option('--input <path>', 'read fields from a JSON file; - is standard input').addOption(jsonOption)
}

function addCreate(group: Command, resource: Resource): void {
  const { argument, noun, operations, createsByDefault = false } = resource
  const fields = fieldsOf(operations.create)
  const field = fields.find(({ name }) => name === argument)
  const command = group
    .command('create', { isDefault: createsByDefault })
    .description(`create a ${noun}`)
    .argument(`[${argument}]`, field?.description)
  addFields(command, fields, [argument])
  addWriteOptions(command, resource)
  withExamples(command, resource.examples.create).action((value: string | undefined, options: Options) =>
    print(options, async () => {
      if (options.out !== undefined) await checkPicturePath(options.out)
      const given = { ...options, ...(value !== undefined && { [argument]: value }) }
      const input = {
        ...resource.defaults,
        ...(await inputWith(fields, given)),
        ...contentIn(resource, options),
      }
      requireAll(fields, input, argument)
      const { data } = await callOf(await connect(), operations.create)(input)
      return shown(data as Fields, options)
    }),
  )
}

function requireAll(fields: readonly Field[], input: Fields, argument: string): void {
  const missing = fields
    .filter(({ name, isRequired }) => isRequired && input[name] === undefined)
    .map(({ name, flag }) => (name === argument ? `<${name}>` : `--${flag}`))
  if (missing.length > 0) throw new UsageError(`Missing ${missing.join(', ')}`)
}

/** Parses the content in `--wifi ssid=Guests password=secret`. */
function contentIn({ contents = [] }: Resource, options: Options): { content?: Fields } {
  const types = contents.filter((type) => options[type] !== undefined)
  const [type, another] = types
  if (type === undefined) return {}
  if (another !== undefined) throw new UsageError(`Give --${type} or --${another}, not both`)
  const fields = (options[type] as readonly string[]).map((given) => {
    const at = given.indexOf('=')
    if (at < 1) throw new UsageError(`--${type} takes fields as name=value, not ${given}`)
    return [given.slice(0, at), given.slice(at + 1)] as const
  })
  return { content: { type, ...Object.fromEntries(fields) } }
}

/** The fields of options and of the `--input` file; options take precedence. */
const inputWith = async (fields: readonly Field[], options: Options): Promise<Fields> =>
  withFiles(fields, { ...(await readInput(options.input)), ...inputOf(fields, options) })

function addList(group: Command, resource: Resource): void {
  const fields = fieldsOf(resource.operations.list)
  const command = group.command('list').description(`list ${resource.noun}s, newest first`)
  addFields(command, fields)
  if (fields.some(({ name }) => name === 'cursor')) command.option('--all', 'print all pages')
  command.addOption(jsonOption)
  withExamples(command, resource.examples.list).action((options: Options) =>
    print(options, async () => {
      const request = callOf(await connect(), resource.operations.list)(inputOf(fields, options))
      if (options['all'] === true) {
        const items: Fields[] = []
        for await (const item of request) items.push(item)
        return { text: rowsOf(items, resource.columns), json: items }
      }
      const { data, meta } = await request
      const items = data as Fields[]
      const total = meta?.total ?? items.length
      const more = total > items.length ? `\n${items.length} of ${total}; --all lists every one` : ''
      return { text: rowsOf(items, resource.columns) + more, json: items }
    }),
  )
}

/** Reads the resource, applies the fields, and sends the edit for the version that was read, as `change` of the SDK. */
function addEdit(group: Command, resource: Resource): void {
  const { noun, operations } = resource
  const fields = fieldsOf(operations.edit)
  const command = group
    .command('edit')
    .alias('change')
    .description(`edit a ${noun}; omitted fields do not change`)
    .argument('<id>', idText(resource))
  addFields(command, fields, ['uuid'])
  addWriteOptions(command, resource)
  withExamples(command, resource.examples.edit).action((id: string, options: Options) =>
    print(options, async () => {
      if (options.out !== undefined) await checkPicturePath(options.out)
      const changes = { ...(await inputWith(fields, options)), ...contentIn(resource, options) }
      const client = await connect()
      const present = await findResource(client, resource, id)
      const { list } = operations
      const input = isChangeable(list)
        ? changedBody(list, present, changes)
        : { ...changes, uuid: present['uuid'] }
      const { data } = await callOf(client, operations.edit)(input, {
        ifMatch: present as { updated_at: string },
      })
      return shown(data as Fields, options)
    }),
  )
}

const isChangeable = (name: string): name is ChangeableName => Object.hasOwn(changeable, name)

function addRemove(group: Command, resource: Resource): void {
  const { noun, operations } = resource
  const fields = fieldsOf(operations.remove)
  const takesMany = fields.some(({ name }) => name === 'uuids')
  const command = group
    .command('remove')
    .description(
      takesMany
        ? `move ${noun}s to the trash, where they can be restored for 30 days; all or none`
        : `remove a ${noun}`,
    )
    .argument(takesMany ? '<ids...>' : '<id>', idText(resource))
  addFields(command, fields, ['uuid', 'uuids'])
  command.addOption(jsonOption)
  withExamples(command, resource.examples.remove).action((given: string | string[], options: Options) =>
    print(options, async () => {
      const client = await connect()
      const uuids: string[] = []
      for (const id of [given].flat()) uuids.push(await uuidOf(client, resource, id))
      const named = uuids.length === 1 ? { uuid: uuids[0] } : { uuids }
      const { data } = await callOf(client, operations.remove)({ ...inputOf(fields, options), ...named })
      const json = Array.isArray(data) ? { removed: data } : data
      return { text: line`Removed ${[given].flat().join(', ')}`, json }
    }),
  )
}

/** Formats a resource for printing, after saving its picture. */
async function shown(resource: Fields, { out }: Options): Promise<Printed> {
  if (out === undefined) return { text: card(resource), json: resource }
  await savePicture(resource, out)
  return { text: `${card(resource)}\n\n${line`Saved ${out}`}`, json: { ...resource, out } }
}
