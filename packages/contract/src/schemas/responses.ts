import { z } from 'zod'
import { described, named } from './described.ts'
import { opaque, queryInteger, ruled } from './fields.ts'

/** A time in responses: ISO 8601 UTC with milliseconds. */
export const time = z.string().meta({ format: 'date-time' })

/** The texts of the fields that every resource has. */
export const resourceTexts = {
  uuid: 'Identifies the resource (UUID, version 7).',
  created_by: 'The `uuid` of the user who created it; null for the command line and background imports.',
  created_at: 'When it was created (ISO 8601, UTC).',
  updated_at: 'When it was last edited (ISO 8601, UTC). Clicks, scans and views do not change it.',
}

/** The envelope of a successful response. */
export const success = <T extends z.ZodType>(data: T) =>
  z.object({
    status: z.literal('success').meta({ description: 'Always `success`.' }),
    message: z.string().meta({ description: 'What was done, in one sentence.' }),
    data: data.meta()?.description === undefined ? data.meta({ description: 'The result.' }) : data,
    ignored: z.array(z.string()).optional().meta({
      description: 'Unknown fields and query parameters of the request. Absent if there are none.',
    }),
  })

/** The `data` of an operation without a result: `data` is always an object or a list. */
export const Nothing = z.object({}).meta({ description: 'An empty object.' })

const ListMeta = named(
  'ListMeta',
  'The position of a page in its list.',
  z.object(
    described(
      {
        count: 'Number of items on this page.',
        total: 'Number of items in the whole list, after filters.',
        next_cursor: 'Send it as `cursor` to get the next page; null on the last page.',
      },
      { count: z.int(), total: z.int(), next_cursor: z.string().nullable() },
    ),
  ),
)

/** The envelope of a list. */
export const list = <T extends z.ZodType>(item: T) => success(z.array(item)).extend({ meta: ListMeta })

const WholeListMeta = named(
  'WholeListMeta',
  'The length of a list with one page.',
  z.object(
    described(
      {
        count: 'Number of items in this response.',
        total: 'Number of items in the whole list.',
        next_cursor: 'Always null: the list has one page.',
      },
      { count: z.int(), total: z.int(), next_cursor: z.null() },
    ),
  ),
)

/** The envelope of a list without pages. */
export const wholeList = <T extends z.ZodType>(item: T) =>
  success(z.array(item)).extend({ meta: WholeListMeta })

/** The response to a removal. */
export const Removed = named(
  'Removed',
  'What was removed.',
  z.object({ uuid: z.string().meta({ description: 'The `uuid` of the removed resource.' }) }),
)

/** Every error: one sentence that says what to do, and the invalid fields if there are any. */
export const ErrorResponse = named(
  'Error',
  'Every error response.',
  z.object(
    described(
      {
        error: 'What went wrong, in one sentence.',
        errors:
          'The invalid fields, each with a list of messages. Nested fields use dots (`buttons.0.label`).',
        canonical: 'Only with `Invalid signature`: the string that the server expected to be signed.',
        data: 'Only with 412: the resource as it is now.',
        role: 'Only with 403: the least role in the workspace that the operation needs.',
        scope: 'Only with 403: the scope that the API key or access token lacks.',
        reauthenticate: 'Only with 403: `true` when the session needs `reauthenticate` first.',
        second_factor_required: 'Only with 403: `true` when the workspace requires a second factor.',
        uses: 'Only when a domain is in use: the number of its links and pages.',
        workspaces: 'Only when an account cannot be removed: the workspaces that would have no owner.',
      },
      {
        error: z.string(),
        errors: z.record(z.string(), z.array(z.string())).optional(),
        canonical: z.string().optional(),
        data: z.record(z.string(), z.unknown()).optional(),
        role: z.string().optional(),
        scope: z.string().optional(),
        reauthenticate: z.literal(true).optional(),
        second_factor_required: z.literal(true).optional(),
        uses: z.int().optional(),
        workspaces: z.array(z.object({ uuid: z.string(), name: z.string() })).optional(),
      },
    ),
  ),
)

/** The parameters of every list. */
export const ListQuery = z.object(
  described(
    {
      limit: 'Items per page: 1 to 1000, default 100.',
      cursor: '`next_cursor` of the previous page.',
      search: 'Only items that contain this text (case-insensitive).',
      uuid: 'Only the item with this `uuid`: the list has one item or none.',
    },
    {
      limit: queryInteger(1, 1000).optional(),
      cursor: ruled().optional(),
      search: opaque().optional(),
      uuid: opaque().optional(),
    },
  ),
)
