import type { IncomingHttpHeaders } from 'node:http'
import { isbot } from 'isbot'
import { isPrefetch } from '../visit-of.ts'

/** Longer ones are of no browser, and matching takes time. */
const MAX_USER_AGENT_CHARS = 512

/**
 * Programs that a person or script runs to open a URL. `isbot` lists them with the crawlers, but they do not scan the
 * links of messages.
 */
const TOOL =
  /^(?:apache-httpclient|axios|bun|curl|deno|go-http-client|got|httpie|insomnia|java|k6|libcurl|libwww-perl|node|okhttp|postmanruntime|powershell|python|reqwest|ruby|undici|wget|xh)(?![a-z])/i

/** Whether a request comes from a crawler, preview fetcher or prefetch, and not from a visitor who follows the link. */
export function onlyLooks(method: string, headers: IncomingHttpHeaders): boolean {
  return method === 'HEAD' || isPrefetch(headers) || isCrawler(headers['user-agent'] ?? '')
}

function isCrawler(userAgent: string): boolean {
  const agent = userAgent.slice(0, MAX_USER_AGENT_CHARS)
  return isbot(agent) && !TOOL.test(agent)
}
