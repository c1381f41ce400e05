import { z } from 'zod'
import { ListQuery, list, resourceTexts, success, time } from './responses.ts'
import { described, named } from './described.ts'
import { expiry, opaque, required, uuid } from './fields.ts'
import { tags } from './link-tags.ts'
import { linkFilter } from './links.ts'

/** Number of links that one request can list. */
const MOST_NAMED = 1000

const changeTexts = {
  add_tags: 'Tags to add. A link that would have more than 20 tags is skipped.',
  remove_tags: 'Tags to remove.',
  archived: 'Whether the links are archived.',
  expire: 'When the links expire, as in `/v1/edit-links`; null: never.',
  expire_now: 'Whether the links expire at once. Links that have expired already are skipped.',
  remove: 'Whether the links are moved to the trash. No other change can be given with it.',
}

const changeShape = described(changeTexts, {
  add_tags: tags.nullish(),
  remove_tags: z
    .array(required(opaque(255)))
    .max(100)
    .nullish(),
  archived: z.boolean().nullish(),
  expire: expiry.nullish(),
  expire_now: z.literal(true).nullish(),
  remove: z.literal(true).nullish(),
})

/** `expire: null` is a change; null in other fields is not. */
const namesOfChange = (change: Record<string, unknown>): string[] =>
  Object.keys(changeTexts).filter(
    (name) => change[name] !== undefined && (change[name] !== null || name === 'expire'),
  )

const BulkChange = named(
  'BulkChange',
  'Changes to many links.',
  z
    .object(changeShape)
    .refine((change) => namesOfChange(change).length > 0, 'Give at least one change')
    .refine(
      (change) => change.remove == null || namesOfChange(change).length === 1,
      'Remove must be the only change',
    )
    .refine(
      ({ expire, expire_now }) => expire_now == null || expire === undefined,
      'Give expire or expire_now, not both',
    ),
)

const BulkFilter = named(
  'BulkFilter',
  'Which links, as in `/v1/links`. An empty filter means every link.',
  z.object({
    search: opaque()
      .optional()
      .meta({ description: 'Only links that contain this text (case-insensitive).' }),
    ...linkFilter,
  }),
)

const bulkTexts = {
  ...resourceTexts,
  uuids: 'The links to change, up to 1,000. They are changed before the response, all or none.',
  filter: 'Instead of `uuids`: all links that match. They are changed in the background.',
  change: 'What to change.',
}

/** A bulk edit in responses. */
const BulkEdit = named(
  'BulkEdit',
  'A change of many links.',
  z.object(
    described(
      {
        ...bulkTexts,
        state:
          '`running`. `done`. `undoing`. `undone`. `failed`: `error` gives the reason; earlier changes stay.',
        filter: 'The filter of the links; null if the request had `uuids`.',
        change: 'What it changes, as requested.',
        total: 'Number of links when it began.',
        processed: 'Links processed so far.',
        changed: 'Links that were changed.',
        skipped: 'Links that were not changed, because the change has no effect or is not possible.',
        error: 'Why it failed; null otherwise.',
        undoable: 'Whether `/v1/undo-bulk-edit` can still undo it.',
        finished_at: 'When it was done, undone or failed (ISO 8601, UTC).',
      },
      {
        uuid: z.string(),
        state: z.enum(['running', 'done', 'undoing', 'undone', 'failed']),
        filter: z.record(z.string(), z.unknown()).nullable(),
        change: z.record(z.string(), z.unknown()),
        total: z.int(),
        processed: z.int(),
        changed: z.int(),
        skipped: z.int(),
        error: z.string().nullable(),
        undoable: z.boolean(),
        created_at: time,
        updated_at: time,
        finished_at: time.nullable(),
      },
    ),
  ),
)

/** Body, query and response of the operations on many links. */
export const bulkEditSchemas = {
  bulkEditLinks: {
    body: z
      .object(
        described(bulkTexts, {
          uuids: z.array(required(opaque())).min(1).max(MOST_NAMED).nullish(),
          filter: BulkFilter.nullish(),
          change: BulkChange,
        }),
      )
      .refine(({ uuids, filter }) => (uuids == null) !== (filter == null), {
        path: ['uuids'],
        error: 'Give uuids or filter, not both',
      }),
    response: success(BulkEdit),
  },
  bulkEdits: { query: ListQuery.omit({ search: true }), response: list(BulkEdit) },
  undoBulkEdit: { body: z.object(described(bulkTexts, { uuid })), response: success(BulkEdit) },
}
