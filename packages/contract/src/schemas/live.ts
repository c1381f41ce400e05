import { z } from 'zod'
import { time } from './responses.ts'
import { described, named } from './described.ts'
import { opaque, queryInteger } from './fields.ts'

/** A click as it arrives. */
export const LiveClick = named(
  'LiveClick',
  'A click as it arrives. An empty text means unknown.',
  z.object(
    described(
      {
        clicked_at: 'When it happened (ISO 8601, UTC).',
        kind: 'What was clicked: a short link, or on a page the page itself (a view), a button or a social icon.',
        link_uuid: 'The short link; null for a page.',
        page_uuid: 'The page; null for a short link.',
        code: 'The short code of the link, or the slug of the page.',
        domain: 'The domain of the link or page.',
        target: 'The id of the button or icon that was clicked; null otherwise.',
        country: 'ISO country code.',
        referrer: 'The host that the visitor came from.',
        device: '`mobile`, `tablet` or `desktop`.',
        browser: 'The browser.',
        os: 'The operating system.',
        language: 'The preferred language without region, such as `fr`.',
        variant: 'The name of the variant that was chosen.',
        rule: 'The rule that matched: its place in the list from 0, or `ios`, `android`.',
        source: '`qr` for the scan of a code, `link` otherwise.',
        bot: 'Whether it was a bot or a crawler. Bots are not counted as clicks.',
      },
      {
        clicked_at: time,
        kind: z.enum(['link', 'page', 'button', 'icon']),
        link_uuid: z.string().nullable(),
        page_uuid: z.string().nullable(),
        code: z.string(),
        domain: z.string(),
        target: z.string().nullable(),
        country: z.string(),
        referrer: z.string(),
        device: z.string(),
        browser: z.string(),
        os: z.string(),
        language: z.string(),
        variant: z.string(),
        rule: z.string(),
        source: z.enum(['qr', 'link']),
        bot: z.boolean(),
      },
    ),
  ),
)

/** Query and events of the live stream. */
export const liveSchemas = {
  live: {
    query: z.object(
      described(
        {
          uuid: 'A link, dynamic code or page. Default: the whole account.',
          tag: 'Links with this tag.',
          domain: 'Links of this domain.',
          recent: 'First so many of the latest clicks, as events named `recent`: at most 20, default 0.',
        },
        {
          uuid: opaque(64).optional(),
          tag: opaque(255).optional(),
          domain: opaque(255).optional(),
          recent: queryInteger(0, 20).optional(),
        },
      ),
    ),
    response: LiveClick,
  },
}
