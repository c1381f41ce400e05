import { z } from 'zod'
import { success } from './responses.ts'
import { described, named } from './described.ts'
import { instant, opaque, uuid } from './fields.ts'
import { conditionParts } from './link-rules.ts'

const texts = {
  uuid: 'The `uuid` of the link.',
  at: 'The time of the visit: `YYYY-MM-DD` (its start, UTC) or ISO 8601. Default: now.',
  country: 'Country of the visitor: an ISO 3166-1 code of two letters. Default: that of `address`.',
  language: 'What the browser sends as `Accept-Language`, such as `fr` or `fr-CA,en;q=0.8`.',
  user_agent: 'What the browser sends as `User-Agent`.',
  device: '`mobile`, `tablet` or `desktop`. Default: detected from `user_agent`.',
  os: 'Operating system, named as in statistics. Default: detected from `user_agent`.',
  browser: 'Browser, named as in statistics. Default: detected from `user_agent`.',
  referrer: 'What the browser sends as `Referer`: the URL of a page, or only its host.',
  query: 'The query of the short link, such as `a=b&c=d`.',
  path: 'What follows the short link in the path, such as `/a/b`. A link without `forward_path` has no such path.',
  address: 'IP address of the visitor. Country and variant depend on it.',
  password: 'Whether the visitor knows the password. Default false.',
}

const Visitor = named(
  'SimulatedVisit',
  'A described visitor.',
  z.object(
    described(texts, {
      uuid,
      at: instant(false).nullish(),
      country: conditionParts.country.nullish(),
      language: opaque(8192).nullish(),
      user_agent: opaque().nullish(),
      device: conditionParts.device.nullish(),
      os: conditionParts.os.nullish(),
      browser: conditionParts.browser.nullish(),
      referrer: opaque().nullish(),
      query: opaque(8192).nullish(),
      path: opaque(8192).nullish(),
      address: z.union([z.ipv4(), z.ipv6()], 'Must be an IP address').nullish(),
      password: z.boolean().nullish(),
    }),
  ),
)

const Simulation = named(
  'Simulation',
  'The simulated response.',
  z.object(
    described(
      {
        status: 'The HTTP status that the visitor would get.',
        url: 'Where the visitor would be sent; null without a redirect.',
        reason:
          'What decided: `rule`, `variant` or `link` for a redirect; else `preview` (a preview fetcher gets the card), `not_opened` (a crawler gets a page, because a redirect would use up a click), `password`, `not_active_yet`, `expired` (past its date, or used up), `no_such_path` (the path is not forwarded), `removed` or `blocked` (by the operator).',
        rule: 'The place of the rule in `rules`, counted from 0; `ios` or `android` for `ios_url` and `android_url`; null if no rule decided.',
        variant: 'The name of the variant; null if no variant decided.',
        forwarded: 'Whether the path or parameters of the visitor were added to the destination.',
      },
      {
        status: z.int(),
        url: z.string().nullable(),
        reason: z.enum([
          'rule',
          'variant',
          'link',
          'preview',
          'not_opened',
          'password',
          'not_active_yet',
          'blocked',
          'expired',
          'no_such_path',
          'removed',
        ]),
        rule: z.union([z.int(), z.enum(['ios', 'android'])]).nullable(),
        variant: z.string().nullable(),
        forwarded: z.boolean(),
      },
    ),
  ),
)

/** Body and response of a simulation. */
export const simulationSchemas = {
  simulateLink: { body: Visitor, response: success(Simulation) },
}
