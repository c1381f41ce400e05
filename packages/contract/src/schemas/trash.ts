import { z } from 'zod'
import { trashTypes } from '../events.ts'
import { ListQuery, list, success, time } from './responses.ts'
import { described, named } from './described.ts'
import { opaque, required, uuid } from './fields.ts'
import { switching } from './switching.ts'

/** Number of resources that one request can remove or restore. */
export const MOST_REMOVED_AT_ONCE = 1000

/** Number of resources that one request can erase, so that on SQLite no other write waits long. */
export const MOST_ERASED_AT_ONCE = 100

/** How long a removed resource can be restored. */
export const TRASH_DAYS = 30

const ONE_OR_MANY = 'Give uuid or uuids, not both'

const uuids = z.array(required(opaque())).min(1).max(MOST_REMOVED_AT_ONCE)

const texts = {
  uuid: 'The `uuid` of the resource to remove.',
  uuids: 'Instead of `uuid`: up to 1,000 resources. All are removed, or none.',
  permanent: `Whether to erase it at once. By default it can be restored for ${TRASH_DAYS} days.`,
}

const permanent = z.boolean().nullish()

const RemoveOne = named(
  'RemoveOne',
  'The resource to remove.',
  z.object(described(texts, { uuid, uuids: z.null(ONE_OR_MANY).optional(), permanent })),
)

const RemoveMany = named(
  'RemoveMany',
  'The resources to remove.',
  z.object(described(texts, { uuid: z.null(ONE_OR_MANY).optional(), uuids, permanent })),
)

const given = (value: unknown): boolean => value !== undefined && value !== null

const isOfMany = (body: unknown): boolean => {
  const fields = (body ?? {}) as Record<string, unknown>
  return given(fields['uuids']) && !given(fields['uuid'])
}

/** The body of every removal of a resource. */
export const Removal = switching((body) => (isOfMany(body) ? RemoveMany : RemoveOne), [RemoveOne, RemoveMany])

/** The removed resource or resources, as requested. */
export const RemovedResources = named(
  'RemovedResources',
  'What was removed.',
  z.object(
    described(
      {
        uuid: 'The `uuid` of the removed resource, if the request had `uuid`.',
        uuids: 'The removed resources, if the request had `uuids`.',
      },
      { uuid: z.string().optional(), uuids: z.array(z.string()).optional() },
    ),
  ),
)

/** A removed resource that can be restored. */
export const TrashItem = named(
  'TrashItem',
  'A removed resource that can still be restored.',
  z.object(
    described(
      {
        uuid: 'The `uuid` of the removed resource.',
        type: 'The kind of resource.',
        label: 'Its name in lists: title, description, short link or URL.',
        removed_at: 'When it was removed (ISO 8601, UTC).',
        erased_at: `When it will be erased (ISO 8601, UTC): ${TRASH_DAYS} days after its removal.`,
      },
      {
        uuid: z.string(),
        type: z.enum(trashTypes),
        label: z.string(),
        removed_at: time,
        erased_at: time,
      },
    ),
  ),
)

const Restored = named(
  'RestoredResources',
  'What was restored.',
  z.object({ uuids: z.array(z.string()).meta({ description: 'The restored resources.' }) }),
)

/** Body, query and response of the operations on the trash. */
export const trashSchemas = {
  trash: {
    query: ListQuery.extend({
      type: z.enum(trashTypes).optional().meta({ description: 'Only resources of this kind.' }),
    }),
    response: list(TrashItem),
  },
  restore: {
    body: z.object({
      uuids: uuids.meta({
        description: 'The removed resources to restore, up to 1,000. All are restored, or none.',
      }),
    }),
    response: success(Restored),
  },
  erase: {
    body: z.object({
      uuids: z
        .array(required(opaque()))
        .min(1)
        .max(MOST_ERASED_AT_ONCE)
        .meta({ description: 'The removed resources to erase, up to 100. All are erased, or none.' }),
    }),
    response: success(
      named(
        'ErasedResources',
        'What was erased.',
        z.object({ uuids: z.array(z.string()).meta({ description: 'The erased resources.' }) }),
      ),
    ),
  },
}
