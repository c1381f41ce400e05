import { AppError } from '../../runtime/errors.ts'
import type { DomainService } from '../domains/domains.service.ts'
import type { LinkRow, LinkStore } from './links.store.ts'

interface NamedLinkDependencies {
  readonly store: Pick<LinkStore, 'findShortCode' | 'findAny'>
  readonly domains: Pick<DomainService, 'storedName'>
}

/** The link of any account that a uuid, a short code on the host of the instance, or a short URL stands for. */
export async function findNamedLink(
  { store, domains }: NamedLinkDependencies,
  named: string,
): Promise<LinkRow> {
  const url = URL.parse(named)
  const isUrl = url !== null && /^https?:$/.test(url.protocol)
  const domain = isUrl ? domains.storedName(url.hostname) : ''
  const short_code = isUrl ? url.pathname.slice(1) : named
  const uuid = await store.findShortCode({ domain, short_code })
  const row = await store.findAny(uuid ?? named)
  if (row === undefined) throw new AppError('not_found', { message: `There is no link ${named}` })
  return row
}
