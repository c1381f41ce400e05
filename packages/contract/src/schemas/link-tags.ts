import { z } from 'zod'
import { type Refinement, required, singleLine } from './fields.ts'

/** Separates the tags of a link that are stored as one text. A tag has no control characters. */
export const TAG_SEPARATOR = '\u001f'

export const MOST_TAGS = 20

/** One tag. */
export const tag = required(singleLine(255))

/** The first tag of a link; an empty text means no tag, as in forms. */
export const firstTag = singleLine(255)
  .transform((value) => (value === '' ? null : value))
  .nullish()

/** The tags of a link, in order; duplicates count once. */
export const tags = z
  .array(tag)
  .max(MOST_TAGS)
  .transform((names) => [...new Set(names)])

interface Tagged {
  readonly tag?: string | null | undefined
  readonly tags?: readonly string[] | null | undefined
}

/** Whether `tag` and `tags` are consistent. Null is a default in a new link and a value in an edit. */
const agree = ({ tag: first, tags: all }: Tagged, isEdit: boolean): boolean => {
  if (first === undefined || all === undefined) return true
  if (!isEdit && (first === null || all === null)) return true
  return first === (all?.[0] ?? null)
}

/** The rule about a link's tag fields; checked even if other fields are invalid. */
export const tagsAgree = (operation: 'create' | 'edit'): Refinement<Tagged> => [
  (value) => agree(value, operation === 'edit'),
  {
    path: ['tag'],
    error: 'Must be the first of tags',
    when: ({ value }) => {
      if (typeof value !== 'object' || value === null) return false
      const { tag: first, tags: all } = value as Record<string, unknown>
      const isReadable = first === undefined || first === null || typeof first === 'string'
      return isReadable && (all === undefined || all === null || Array.isArray(all))
    },
  },
]
